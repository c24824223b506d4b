/// Rows of texts in columns that are as wide as their contents, cut to what fits.
package struct TextTable {
    package struct Column {
        package let title: String
        package let isNumeric: Bool

        package init(_ title: String, isNumeric: Bool = false) {
            self.title = title
            self.isNumeric = isNumeric
        }
    }

    package let columns: [Column]
    package private(set) var rows: [[String]] = []

    package init(_ columns: [Column]) { self.columns = columns }

    package init(_ titles: String...) { columns = titles.map { Column($0) } }

    /// The widest a cell is kept, so that a value of many megabytes costs nothing.
    private static let greatestCell = 200

    package mutating func add(_ cells: [String]) {
        rows.append(cells.map { TextWidth.shown($0, limit: Self.greatestCell) })
    }

    /// The lines: titles, then rows.
    ///
    /// - Parameter width: The columns of the terminal; nil if nothing has to be cut.
    package func lines(width: Int?, style: TextStyle = .plain) -> [String] {
        let titles = columns.map { TextWidth.shown($0.title) }
        var widths = titles.map(TextWidth.columns)
        for row in rows {
            for (place, cell) in row.enumerated() { widths[place] = max(widths[place], TextWidth.columns(cell)) }
        }
        if let width { Self.fit(&widths, to: width - 2 * (widths.count - 1)) }
        return [line(titles, widths) { style.bold($0) }] + rows.map { line($0, widths) { $0 } }
    }

    /// Narrows the widest columns until all fit.
    private static func fit(_ widths: inout [Int], to total: Int) {
        let least = 8
        var excess = widths.reduce(0, +) - total
        while excess > 0, let widest = widths.max(), widest > least {
            let next = max(least, widths.filter { $0 < widest }.max() ?? least)
            for place in widths.indices where widths[place] == widest && excess > 0 {
                let cut = min(excess, widest - next)
                widths[place] -= cut
                excess -= cut
            }
        }
    }

    private func line(_ cells: [String], _ widths: [Int], _ paint: (String) -> String) -> String {
        var pieces: [String] = []
        for (place, cell) in cells.enumerated() {
            let cell = TextWidth.columns(cell) > widths[place] ? TextWidth.shown(cell, limit: widths[place]) : cell
            let space = String(repeating: " ", count: max(0, widths[place] - TextWidth.columns(cell)))
            let isLast = place == cells.count - 1
            pieces.append(columns[place].isNumeric ? space + paint(cell) : paint(cell) + (isLast ? "" : space))
        }
        var text = pieces.joined(separator: "  ")
        while text.last == " " { text.removeLast() }
        return text
    }
}
