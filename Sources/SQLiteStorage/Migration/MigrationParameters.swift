import DataModel
import Foundation
import Storage

/// The default values that a statement of a migration binds, and the texts of the expressions that use them.
struct MigrationParameters {
    let mapping: MigrationMapping
    let defaults: [Row]
    let url: URL
    private var values: [(entity: Int, writer: ColumnWriter)] = []
    private var numbers: [[Int]: Int32] = [:]

    init(mapping: MigrationMapping, defaults: [Row], url: URL) {
        self.mapping = mapping
        self.defaults = defaults
        self.url = url
    }

    /// - Parameter current: The name that a column of the file has at present.
    mutating func text(_ value: TableChange.Value, current: (SQLName) -> SQLName) -> String {
        switch value {
        case .none: "NULL"
        case .defaultValue(let entity, let slot): parameter(entity, slot)
        case .column(let column, let from, let to): Self.converted(current(column), from, to)
        case .columnOrDefault(let column, let from, let to, let entity, let slot):
            "IFNULL(\(Self.converted(current(column), from, to)), \(parameter(entity, slot)))"
        }
    }

    /// Values that may be in files have a marker in front of them. Those that are in files were brought into the table before.
    private static func converted(_ column: SQLName, _ from: ColumnEncoding, _ to: ColumnEncoding) -> String {
        switch (from == .externalBlob, to == .externalBlob) {
        case (false, true): "CASE WHEN \(column) NOT NULL THEN CAST(x'01' || \(column) AS BLOB) END"
        case (true, false): "substr(\(column), 2)"
        default: column.text
        }
    }

    private mutating func parameter(_ entity: Int, _ slot: Int) -> String {
        let key = [entity, slot]
        if let known = numbers[key] { return "?\(known)" }
        guard let column = mapping.new.entities[entity].column(slot: slot) else { return "NULL" }
        let number = Int32(values.count + 1)
        numbers[key] = number
        values.append((entity, ColumnWriter(encoding: column.encoding, slot: slot, parameter: number)))
        return "?\(number)"
    }

    func run(_ sql: String, _ connection: Connection) throws {
        let statement = try connection.prepare(sql, .saving, isKept: false)
        // What is bound must stay until the statement has run.
        var buffers: [BindBuffer] = []
        defer { withExtendedLifetime(buffers) { statement.clearBindings() } }
        for (entity, writer) in values {
            let buffer = BindBuffer()
            buffers.append(buffer)
            let binder = RowBinder(
                layout: mapping.new.layout.entities[entity], numbers: mapping.new.numbers, buffer: buffer, url: url)
            var writers = [writer]
            try writers.withUnsafeMutableBufferPointer { try binder.bind(defaults[entity], $0, statement.handle) }
        }
        try statement.run(.saving)
    }
}
