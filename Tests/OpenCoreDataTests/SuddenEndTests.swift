import OpenCoreData
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
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
        let seed = Fuzz.seed("Kills")
        var random = SeededGenerator(seed: seed)
        for round in 0..<Self.kills {
            let folder = try TemporaryFolder()
            let url = folder.file("Store.sqlite")
            let returned = try runAndKill([url.path, "kill"], after: Int.random(in: 0...150, using: &random), &random)
            let note: Comment = "seed \(seed), round \(round), after \(returned) saves"
            let contents = try contents(of: url)
            #expect(contents.isWhole, note)
            #expect(contents.total == returned || contents.total == returned + 1, note)
        }
    }

    private static func end(_ process: Process) { kill(process.processIdentifier, SIGKILL) }

    /// How often a process is killed; OPENCOREDATA_KILLS overrides it.
    private static let kills = ProcessInfo.processInfo.environment["OPENCOREDATA_KILLS"].flatMap { Int($0) } ?? 6

    /// Starts `save-loop`, and kills it some time after it has told of so many saves.
    ///
    /// - Returns: How many saves had returned.
    private func runAndKill(_ arguments: [String], after wanted: Int, _ random: inout SeededGenerator) throws -> Int {
        let (process, output) = try SaveLoop.start(arguments)
        var lines = Data()
        func returned() -> Int { lines.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) } - 1 }
        while returned() < wanted {
            let more = output.availableData
            if more.isEmpty { break }
            lines += more
        }
        usleep(UInt32.random(in: 0...3000, using: &random))
        Self.end(process)
        process.waitUntilExit()
        lines += try output.readToEnd() ?? Data()
        // It may have had nothing left to do.
        #expect(process.terminationReason == .uncaughtSignal || process.terminationStatus == 0)
        #expect(returned() >= wanted)
        return returned()
    }

    @Test(
        "Killed while files of external values become superfluous: no row names a file that is gone, and what was replaced is replaced"
    )
    func killedWithExternalData() throws {
        let seed = Fuzz.seed("Kills with external data")
        var random = SeededGenerator(seed: seed)
        let count = 150
        for round in 0..<Self.kills {
            let folder = try TemporaryFolder()
            let url = folder.file("Store.sqlite")
            try makePictures(url, count)
            let returned = try runAndKill([url.path, "pictures"], after: Int.random(in: 0...40, using: &random), &random)
            let note: Comment = "seed \(seed), round \(round), after \(returned) saves"
            #expect(try Database(url).text("PRAGMA integrity_check") == "ok", note)
            let session = try StoreSession(url, SaveLoop.model())
            let found = try session.context.run { context in
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Picture")).map { picture in
                    try picture.load()
                    return (picture.value(forKey: "number") as? Int ?? 0, picture.value(forKey: "data") as? Data ?? Data())
                }
            }
            try session.close()
            let saved = found.filter { $0.1 == Data("new \($0.0)".utf8) }.count
            #expect(saved == returned || saved == returned + 1, note)
            #expect(found.allSatisfy { $0.1 == Data(($0.0 > 0 && $0.0 <= saved ? "new \($0.0)" : "old \($0.0)").utf8) }, note)
            #expect(Set(found.map(\.0)) == Set(1...count).union((1...count).filter { $0 > saved }.map { -$0 }), note)
        }
    }

    /// A store of pictures with the numbers 1 … count and -1 … -count, each in a file.
    private func makePictures(_ url: URL, _ count: Int) throws {
        let session = try StoreSession(url, SaveLoop.model())
        try session.context.run { context in
            for number in 1...count {
                for number in [number, -number] {
                    let picture = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
                    picture.setValue(number, forKey: "number")
                    picture.setValue(Data([1]), forKey: "data")
                }
            }
            try context.save()
        }
        try session.close()
        let external = url.deletingLastPathComponent().appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
        let database = try Database(url)
        try database.execute("BEGIN")
        for row in try database.rows("SELECT Z_PK, ZNUMBER FROM ZPICTURE") {
            let name = UUID().uuidString
            try Data("old \(row[1] ?? "")".utf8).write(to: external.appendingPathComponent(name))
            let hex = (Data([2]) + Data(name.utf8) + Data([0])).map { String(format: "%02x", $0) }.joined()
            try database.execute("UPDATE ZPICTURE SET ZDATA = x'\(hex)' WHERE Z_PK = \(row[0] ?? "")")
        }
        try database.execute("COMMIT")
    }

    @Test("Two processes save to one store at the same time: nothing of either is lost, and no key is given twice")
    func twoProcesses() throws {
        let saves = ProcessInfo.processInfo.environment["OPENCOREDATA_SAVES"].flatMap { Int($0) } ?? 60
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        let session = try StoreSession(url, SaveLoop.model())
        let processes = try (0..<2).map { _ in try SaveLoop.start([url.path, "share", "\(saves)"]) }
        for (process, output) in processes {
            let lines = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(lines.last == "\(saves)")
        }
        #expect(try Database(url).text("PRAGMA integrity_check") == "ok")
        try session.context.run { context in
            let totals = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Total"))
            let entries = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Entry"))
            #expect(totals.count == 2)
            for total in totals {
                let own = entries.filter {
                    $0.value(forKey: "text") as? String == total.objectID.uriRepresentation().absoluteString
                }
                #expect(own.count == total.value(forKey: "count") as? Int)
                // Every tenth save has deleted the entries of the save before.
                let expected = (1...saves).filter { $0 % 10 != 9 || $0 == saves }.flatMap { [$0, $0] }
                #expect(own.compactMap { $0.value(forKey: "number") as? Int }.sorted() == expected)
            }
            #expect(totals.reduce(0) { $0 + ($1.value(forKey: "count") as? Int ?? 0) } == entries.count)
        }
        try session.close()
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
