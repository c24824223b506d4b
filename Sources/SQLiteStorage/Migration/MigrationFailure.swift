import DataModel
import Foundation
import Storage

/// The errors of migrations.
enum MigrationFailure {
    static func error(_ code: Int, _ reason: String, url: URL, userInfo: [String: Any] = [:]) -> NSError {
        StoreFailure.error(
            code, "“\(url.lastPathComponent)” can't be migrated: \(reason)", url: url,
            userInfo: userInfo.merging(["reason": reason]) { $1 })
    }

    /// "the object p3", "the objects p3, p5 and others": the last parts of the objects' IDs.
    static func rows(_ keys: [Int64], of count: Int? = nil) -> String {
        let names = keys.map { "p\($0)" }.joined(separator: ", ")
        let rest = (count ?? keys.count) > keys.count ? " and \((count ?? 0) - keys.count) more" : ""
        return keys.count == 1 && rest.isEmpty ? "the object \(names)" : "the objects \(names)\(rest)"
    }
}
