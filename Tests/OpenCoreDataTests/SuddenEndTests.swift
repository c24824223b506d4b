import OpenCoreData
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("What a save has written stays, whatever happens to the process")
struct SuddenEndTests {
    /// The numbers of what `save-loop` has in a store.
    private struct Contents: Equatable {
        var total: Int
        /// The number of each entry, in order.
        var numbers: [Int]

        /// All of the saves 1 to `total`.
        var isWhole: Bool { numbers == (total == 0 ? [] : (1...total).flatMap { [$0, $0] }) }
    }

    private func contents(of url: URL) throws -> Contents {
        let database = try Database(url)
        #expect(try database.text("PRAGMA integrity_check") == "ok")
        let session = try StoreSession(url, SaveLoop.model())
        let contents = try session.context.run { context in
            func numbers(_ entity: String, _ key: String) throws -> [Int] {
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
                    .compactMap { ($0.value(forKey: key) as? NSNumber)?.intValue }
            }
            let totals = try numbers("Total", "count")
            #expect(totals.count == 1)
            return Contents(total: totals.first ?? -1, numbers: try numbers("Entry", "number").sorted())
        }
        try session.close()
        return contents
    }

    @Test("Killed at any moment: the store is sound and has all saves that had returned, and at most the one under way besides")
    func killed() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        for round in 0..<6 {
            let folder = try TemporaryFolder()
            let url = folder.file("Store.sqlite")
            let (process, output) = try SaveLoop.start([url.path, "kill"])
            let wanted = Int.random(in: 0...150, using: &random)
            var lines = Data()
            func returned() -> Int { lines.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) } - 1 }
            while returned() < wanted {
                let more = output.availableData
                if more.isEmpty { break }
                lines += more
            }
            usleep(UInt32.random(in: 0...3000, using: &random))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            lines += try output.readToEnd() ?? Data()
            let note: Comment = "seed \(seed), round \(round), after \(returned()) saves"
            #expect(process.terminationReason == .uncaughtSignal, note)
            #expect(returned() >= wanted, note)
            let contents = try contents(of: url)
            #expect(contents.isWhole, note)
            #expect(contents.total == returned() || contents.total == returned() + 1, note)
        }
    }

    @Test(
        "No room on the disk: the save is an error that names the store, nothing of it is written, and it succeeds once there is room"
    )
    func fullDisk() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        let (process, output) = try SaveLoop.start([url.path, "fill"])
        let lines = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        try #require(lines.count > 4)
        let saved = lines.count - 4
        #expect(lines.dropLast(3) == (0...saved).map(String.init)[...])
        let error = lines[lines.count - 3]
        #expect(error.hasPrefix("NSCocoaErrorDomain 512 “Store.sqlite” can't be written: disk I/O error"), "\(error)")
        #expect(lines[lines.count - 2] == "pending 2 1 true")
        #expect(lines[lines.count - 1] == "\(saved + 1)")
        let contents = try contents(of: url)
        #expect(contents.isWhole)
        #expect(contents.total == saved + 1)
    }
}
