import BenchmarkKit
import CBenchmarkSystem

/// A row of `ZSHEET` as plain Swift values.
struct RawSheet {
    private var integers = InlineArray<40, Int64>(repeating: 0)
    private var doubles = InlineArray<12, Double>(repeating: 0)
    private var texts = InlineArray<12, String>(repeating: "")

    static let columns =
        (["Z_PK", "Z_OPT"] + (0..<SheetValues.integerCount).map { "ZI\($0)" } + (0..<SheetValues.doubleCount).map { "ZD\($0)" }
        + (0..<SheetValues.textCount).map { "ZT\($0)" }).joined(separator: ", ")

    /// Reads the current row of a statement that selects `columns`.
    init(_ statement: OpaquePointer) {
        var column: Int32 = 2
        for index in integers.indices {
            integers[index] = sqlite3_column_int64(statement, column)
            column += 1
        }
        for index in doubles.indices {
            doubles[index] = sqlite3_column_double(statement, column)
            column += 1
        }
        for index in texts.indices {
            texts[index] = RawMovie.text(statement, column)
            column += 1
        }
    }

    /// Adds every attribute.
    func add(to checksum: inout Checksum) {
        for index in integers.indices { checksum.add(integers[index]) }
        for index in doubles.indices { checksum.add(doubles[index]) }
        for index in texts.indices { checksum.add(texts[index]) }
    }
}
