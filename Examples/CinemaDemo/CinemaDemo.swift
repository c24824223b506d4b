import Foundation

@main struct CinemaDemo {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.count {
            case 0:
                let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cinema-demo-\(UUID().uuidString)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { remove(folder) }
                try Cinema(file: folder.appendingPathComponent("Cinema.sqlite")).run()
            case 1, 2:
                let model = arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }
                try StoreListing(store: URL(fileURLWithPath: arguments[0]), model: model).run()
            default:
                fail(
                    "usage: cinema-demo [STORE [MODEL]]\nSTORE is a Core Data SQLite file, MODEL its .momd, .xcdatamodeld or .xcdatamodel; "
                        + "without it, the model that the store keeps")
            }
        } catch {
            fail("cinema-demo: \(error.localizedDescription)")
        }
    }

    private static func remove(_ folder: URL) {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            print("Can't remove \(folder.path): \(error.localizedDescription)")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(1)
    }
}
