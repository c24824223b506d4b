import OpenCoreData
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Makes attacks, one after the other, in a process that may end with any of them.
struct AttackWorker {
    private static let memory = 3_000_000_000
    /// How many seconds of the processor an attack may take.
    private static let seconds = 40

    let folder: AttackFolder
    let seed: UInt64

    init(folder: URL, seed: UInt64) { (self.folder, self.seed) = (AttackFolder(url: folder), seed) }

    func run(_ numbers: Range<Int>) throws {
        setLimit(memory: Self.memory)
        let subjects = Subject.all(in: folder.subjects)
        var models: [Int: NSManagedObjectModel] = [:]
        for number in numbers {
            try limitProcessor()
            var random = SeededGenerator(seed: seed ^ (UInt64(number) &+ 1) &* 0x9e37_79b9_7f4a_7c15)
            let work = folder.work.appendingPathComponent("\(number)")
            try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: work) }
            let kind = Int.random(in: 0..<20, using: &random)
            if kind < 2 {
                report("begin \(number) model")
                var attack = ModelAttack(folder: work, random: random)
                report("end \(number) model: \(attack.run())")
                continue
            }
            // The own stores have everything; the others are those that programs have.
            let index =
                Int.random(in: 0..<2, using: &random) == 0
                ? Int.random(in: 0..<2, using: &random) : Int.random(in: 0..<subjects.count, using: &random)
            let subject = subjects[index]
            let model = try models[index] ?? subject.model()
            models[index] = model
            if kind < 5 {
                report("begin \(number) queries on \(subject.name)")
                var attack = QueryAttack(store: try subject.copy(to: work), model: model, random: random)
                report("end \(number) queries: \(try attack.run())")
            } else {
                try attackStore(number, subject, model, work, random)
            }
        }
    }

    private func attackStore(
        _ number: Int, _ subject: Subject, _ model: NSManagedObjectModel, _ work: URL, _ given: SeededGenerator
    ) throws {
        var random = given
        let levels = Set(
            (0..<Int.random(in: 1...2, using: &random)).map { _ in
                StoreMutation.Level.allCases.randomElement(using: &random) ?? .values
            })
        let reading = StoreAttack.Reading.allCases.randomElement(using: &random) ?? .recorded
        let names = StoreMutation.Level.order.filter(levels.contains)
        report("begin \(number) \(subject.name), \(names.map(\.rawValue).joined(separator: " and ")), \(reading.rawValue)")
        let store = try subject.copy(to: work)
        var mutation = StoreMutation(store, outside: folder.outside, random: random)
        for level in names {
            // What SQLite itself refuses to do to the file is no attack.
            try? mutation.run(level)
        }
        for note in mutation.notes { report("note \(number) \(note)") }
        let attack = StoreAttack(store: store, model: model, reading: reading, levels: levels, random: mutation.random)
        let outcome = attack.run { report("wrong \($0)") }
        report("end \(number) \(names.map(\.rawValue).joined(separator: ", ")): \(outcome)")
    }

    /// Whether a process may end so: an accessor can't throw, and under the default policy it stops the program.
    static func isDocumentedStop(title: String, reason: String) -> Bool {
        title.hasSuffix(StoreAttack.Reading.accessors.rawValue) && reason.contains("can't be read")
    }

    // MARK: The process

    /// Writes a line at once, in one piece.
    private func report(_ line: String) {
        FileHandle.standardOutput.write(Data((line.split(separator: "\n").joined(separator: " ") + "\n").utf8))
    }

    private func limitProcessor() throws {
        var usage = rusage()
        #if canImport(Glibc)
            let who = __rusage_who_t(RUSAGE_SELF.rawValue)
        #else
            let who = RUSAGE_SELF
        #endif
        guard getrusage(who, &usage) == 0 else { throw POSIXError(.EPERM) }
        setLimit(processor: Int(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Self.seconds)
    }

    private func setLimit(memory: Int? = nil, processor: Int? = nil) {
        func set(_ resource: Int32, _ value: Int) {
            var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(bitPattern: -1))
            #if canImport(Glibc)
                setrlimit(__rlimit_resource_t(UInt32(resource)), &limit)
            #else
                setrlimit(resource, &limit)
            #endif
        }
        #if canImport(Glibc)
            if let memory { set(Int32(RLIMIT_AS.rawValue), memory) }
            if let processor { set(Int32(RLIMIT_CPU.rawValue), processor) }
        #else
            if let memory { set(RLIMIT_AS, memory) }
            if let processor { set(RLIMIT_CPU, processor) }
        #endif
    }
}

extension StoreMutation.Level {
    /// What SQLite has to work for comes before what keeps it from working.
    static let order: [Self] = [.values, .links, .metadata, .external, .schema, .triggers, .journals, .pages, .bytes]
}
