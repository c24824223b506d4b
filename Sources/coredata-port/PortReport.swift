import SourcePorting

/// The report of `--check`.
struct PortReport {
    let files: [SourceFile]
    /// The messages by path.
    let messages: [String: [PortingMessage]]

    static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }

    static func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }

    var text: String {
        var lines: [String] = []
        let broken = files.filter { !$0.ported.parses }
        let byHand = files.filter { file in
            file.ported.parses && messages[file.path, default: []].contains { $0.severity != .missing }
        }
        let changed = files.filter { $0.ported.text != $0.text }
        let missing = files.filter { file in messages[file.path, default: []].contains { $0.severity == .missing } }
        let untouched = files.filter { file in file.ported.text == file.text && messages[file.path, default: []].isEmpty }
        lines.append(Self.files(files.count))
        lines.append(Self.row(untouched.count, "build as they are"))
        lines.append(Self.row(changed.count, "need edits that coredata-port makes"))
        lines.append(Self.row(byHand.count, "need a look by hand: see the messages"))
        lines.append(Self.row(missing.count, "use what is missing here"))
        if !broken.isEmpty { lines.append(Self.row(broken.count, "can't be read")) }
        var counts: [PortingRule: Int] = [:]
        for file in files { counts.merge(file.ported.counts, uniquingKeysWith: +) }
        if !counts.isEmpty { lines += ["", "Edits:"] }
        for rule in PortingRule.allCases { if let count = counts[rule] { lines.append(Self.row(count, rule.rawValue)) } }
        let features = missingFeatures()
        if !features.isEmpty { lines += ["", "Missing:"] }
        lines += features
        return lines.joined(separator: "\n")
    }

    /// The missing features, the most frequent one first, each with its first place.
    private func missingFeatures() -> [String] {
        var uses: [String: (count: Int, place: String)] = [:]
        for file in files {
            for message in messages[file.path, default: []] {
                guard let feature = message.feature else { continue }
                uses[feature, default: (0, "\(file.path):\(message.line)")].count += 1
            }
        }
        let sorted = uses.sorted { $0.value.count == $1.value.count ? $0.key < $1.key : $0.value.count > $1.value.count }
        return sorted.map { Self.row($0.value.count, "\($0.key), first in \($0.value.place)") }
    }

    private static func row(_ count: Int, _ text: String) -> String {
        String(repeating: " ", count: max(0, 6 - "\(count)".count)) + "\(count)  \(text)"
    }
}
