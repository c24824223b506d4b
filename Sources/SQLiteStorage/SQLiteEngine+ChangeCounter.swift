import Foundation
import Storage

extension SQLiteEngine {
    package func makeChangeCounter() throws -> (() throws -> Int)? {
        let location = try openStore(.reading).location
        guard !location.isInMemory else { return nil }
        // Its own connection, because SQLite does not count what a connection writes itself.
        let connection = try Connection.open(location, .readOnly, timeout: options.timeout)
        connection.setTimeout(0)
        let version = try connection.prepare("PRAGMA data_version", .reading)
        return {
            defer { version.reset() }
            _ = try version.step(.reading)
            return Int(version.integer(0))
        }
    }
}
