/// What callgrind wrote of one run.
struct CallProfile {
    private(set) var instructions = 0
    private(set) var allocations = 0
    private(set) var retains = 0

    private static let allocators: Set<String> = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"]
    private static let retainers: Set<String> = [
        "swift_retain", "swift_retain_n", "swift_bridgeObjectRetain", "swift_bridgeObjectRetain_n", "swift_unknownObjectRetain",
        "swift_tryRetain",
    ]

    /// - Parameter text: Callgrind's format: lines with the name of a called function, then how often it was called. A name is
    ///   written once with a number, later the number alone.
    init(_ text: String) {
        var names: [Substring: Substring] = [:]
        var called: Substring = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("cfn=") || line.hasPrefix("fn=") {
                let name = Self.name(line[line.index(after: line.firstIndex(of: "=") ?? line.startIndex)...], &names)
                if line.hasPrefix("c") { called = name }
            } else if line.hasPrefix("calls=") {
                let count = Int(line.dropFirst(6).prefix { $0 != " " }) ?? 0
                if Self.allocators.contains(Self.plain(called)) { allocations += count }
                if Self.retainers.contains(Self.plain(called)) { retains += count }
            } else if line.hasPrefix("totals:") || line.hasPrefix("summary:") {
                instructions = Int(line.split(separator: " ").last ?? "") ?? 0
            }
        }
    }

    /// `(12) name` or `(12)`.
    private static func name(_ text: Substring, _ names: inout [Substring: Substring]) -> Substring {
        guard let end = text.firstIndex(of: ")") else { return text }
        let number = text[...end]
        let rest = text[text.index(after: end)...].drop { $0 == " " }
        if !rest.isEmpty { names[number] = rest }
        return names[number] ?? ""
    }

    /// Without a version, and without callgrind's mark of recursion.
    private static func plain(_ name: Substring) -> String { String(name.prefix { $0 != "'" && $0 != "@" }) }
}
