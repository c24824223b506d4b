import Foundation

/// Cells in columns of even width.
package func markdownTable(_ header: [String], _ lines: [[String]]) -> String {
    let rows = [header] + lines
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let text = rows.map { row in
        "| " + zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: " | ") + " |"
    }
    let rule = "| " + widths.map { String(repeating: "-", count: max(1, $0)) }.joined(separator: " | ") + " |"
    return ([text[0], rule] + text.dropFirst()).joined(separator: "\n")
}

extension Double {
    /// With two decimals below a hundred, else without.
    package var figure: String { text(decimals: self < 100 ? 2 : 0) }

    package func text(decimals count: Int) -> String { String(format: "%.\(count)f", self) }
}
