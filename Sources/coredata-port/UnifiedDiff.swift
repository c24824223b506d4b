/// The difference between two texts, as `diff -u` shows it and `patch` takes it.
enum UnifiedDiff {
    private enum Line {
        case same(String)
        case removed(String)
        case added(String)

        var text: String {
            switch self {
            case .same(let line): " \(line)"
            case .removed(let line): "-\(line)"
            case .added(let line): "+\(line)"
            }
        }

        var isSame: Bool { if case .same = self { true } else { false } }
    }

    private static let context = 3

    /// - Returns: Nil if the texts are the same.
    static func text(from old: String, to new: String, path: String) -> String? {
        guard old != new else { return nil }
        let lines = merge(split(old), split(new))
        var result = ["--- \(path)", "+++ \(path)"]
        var oldLine = 1
        var newLine = 1
        var index = 0
        while index < lines.count {
            guard let change = lines[index...].firstIndex(where: { !$0.isSame }) else { break }
            let start = max(index, change - context)
            // Lines before the hunk are the same on both sides.
            oldLine += start - index
            newLine += start - index
            var end = change
            var same = 0
            var position = change
            while position < lines.count, same <= 2 * context {
                if lines[position].isSame { same += 1 } else { (same, end) = (0, position) }
                position += 1
            }
            let hunk = lines[start..<min(lines.count, end + 1 + context)]
            let olds = hunk.filter { if case .added = $0 { false } else { true } }.count
            let news = hunk.filter { if case .removed = $0 { false } else { true } }.count
            result.append("@@ -\(olds == 0 ? oldLine - 1 : oldLine),\(olds) +\(news == 0 ? newLine - 1 : newLine),\(news) @@")
            result += hunk.map(\.text)
            oldLine += olds
            newLine += news
            index = hunk.endIndex
        }
        return result.joined(separator: "\n")
    }

    /// Lines, with the mark that `patch` needs if the last line has no end.
    private static func split(_ text: String) -> [String] {
        // The text is split by bytes, because a carriage return is part of its line.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        if lines.last == "" { lines.removeLast() } else { lines[lines.count - 1] += "\n\\ No newline at end of file" }
        return lines
    }

    private static func merge(_ old: [String], _ new: [String]) -> [Line] {
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [Line] = []
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            if removed.contains(i), i < old.count {
                lines.append(.removed(old[i]))
                i += 1
            } else if added.contains(j), j < new.count {
                lines.append(.added(new[j]))
                j += 1
            } else if i < old.count {
                lines.append(.same(old[i]))
                i += 1
                j += 1
            } else {
                break
            }
        }
        return lines
    }
}
