import CSQLite
import Foundation
import Predicates
import Storage

/// The SQL functions and collations of queries. They run the same code as evaluation in memory, so both give the same answers.
///
/// They are deterministic as far as one statement goes; no index and no table may use them, as other programs don't have them.
enum StoreFunctions {
    static let fold = "coredata_fold"
    static let matches = "coredata_matches"
    static let compare = "coredata_compare"
    static let float = "coredata_float"
    static let sum = "coredata_sum"
    static let decimalSum = "coredata_decimal_sum"
    static let decimalAverage = "coredata_decimal_average"

    static func name(_ function: PredicateFunction) -> String { "coredata_" + identifier(function) }
    static func decimalName(_ function: PredicateFunction) -> String { "coredata_decimal_" + identifier(function) }

    static func collation(_ comparison: TextComparison) -> String {
        "coredata_" + comparison.rawValue.filter { $0 != ":" }
    }

    private static func identifier(_ function: PredicateFunction) -> String {
        function.rawValue.split(separator: ":").joined(separator: "_")
    }

    // Direct only: a file's schema may not use them.
    private static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY

    static func register(_ handle: OpaquePointer) {
        registerTextFunctions(handle)
        registerCollations(handle)
        registerSums(handle)
        registerDamage(handle)
        registerFloat(handle)
        for function in PredicateFunction.allCases {
            // Functions of collections have none.
            guard let scalar = try? ScalarFunction(function) else { continue }
            register(handle, name(function), function.argumentCount, Calculation(scalar, isDecimal: false))
        }
        for function in [PredicateFunction.add, .subtract, .multiply] {
            guard let scalar = try? ScalarFunction(function) else { continue }
            register(handle, decimalName(function), 2, Calculation(scalar, isDecimal: true))
        }
    }

    // MARK: Values

    static func value(_ value: OpaquePointer?) -> PredicateValue {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: .double(sqlite3_value_double(value))
        case SQLITE_TEXT: text(value).map(PredicateValue.string) ?? .null
        case SQLITE_BLOB:
            .data(sqlite3_value_blob(value).map { Data(bytes: $0, count: Int(sqlite3_value_bytes(value))) } ?? Data())
        default: .null
        }
    }

    /// The same for a column of decimals, which a store keeps as floating-point numbers, or as integers where they are whole.
    static func decimalValue(_ value: OpaquePointer?) -> PredicateValue {
        switch sqlite3_value_type(value) {
        case SQLITE_FLOAT: PredicateValue(Row.decimal(from: sqlite3_value_double(value)))
        case SQLITE_INTEGER: .decimal(Decimal(sqlite3_value_int64(value)))
        default: .null
        }
    }

    static func text(_ value: OpaquePointer?) -> String? {
        guard let start = sqlite3_value_text(value) else { return nil }
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
    }

    static func setResult(_ context: OpaquePointer, _ value: PredicateValue) {
        switch value {
        case .integer(let value): sqlite3_result_int64(context, value)
        case .decimal(let decimal):
            // A floating-point number can't hold all whole numbers.
            let whole = NSDecimalNumber(decimal: decimal).int64Value
            if Decimal(whole) == decimal {
                sqlite3_result_int64(context, whole)
            } else {
                sqlite3_result_double(context, value.doubleValue)
            }
        case .unsigned, .double: sqlite3_result_double(context, value.doubleValue)
        case .date(let date): sqlite3_result_double(context, date.timeIntervalSinceReferenceDate)
        case .string(let text): setResult(context, text)
        default: sqlite3_result_null(context)
        }
    }

    static func setResult(_ context: OpaquePointer, _ value: RowValue) {
        switch value {
        case .integer(let value): sqlite3_result_int64(context, value)
        case .real(let value): sqlite3_result_double(context, value)
        case .text(let text): setResult(context, text)
        case .bytes(let data):
            data.withUnsafeBytes { bytes in
                if let base = bytes.baseAddress {
                    sqlite3_result_blob64(context, base, UInt64(bytes.count), Statement.transient)
                } else {
                    sqlite3_result_zeroblob(context, 0)
                }
            }
        case .entity, .list: sqlite3_result_null(context)
        }
    }

    private static func setResult(_ context: OpaquePointer, _ text: String) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_result_text64(context, $0.baseAddress, UInt64($0.count), Statement.transient, UInt8(SQLITE_UTF8))
            }
        }
    }

    /// The result code of a function whose arguments or pattern make no sense. SQLite itself uses it for other statements than
    /// queries.
    static let refusal = SQLITE_MISMATCH

    static func fail(_ context: OpaquePointer, _ error: any Error) {
        sqlite3_result_error(context, "\(error)", -1)
        sqlite3_result_error_code(context, refusal)
    }

    /// Begins the messages of damage in the file.
    static let damage = "OpenCoreData damage: "
    /// A function that fails, with its argument as what is damaged.
    static let damaged = "coredata_damaged"

    /// Not deterministic for SQLite: it would call such a function with constant arguments whether or not the value is needed.
    fileprivate static func registerDamage(_ handle: OpaquePointer) {
        sqlite3_create_function_v2(
            handle, damaged, 1, SQLITE_UTF8, nil,
            { context, _, arguments in
                guard let context, let arguments else { return }
                sqlite3_result_error(context, StoreFunctions.damage + (StoreFunctions.text(arguments[0]) ?? ""), -1)
            }, nil, nil, nil)
    }

    // MARK: Calculations

    /// What a registered function does. SQLite holds it.
    private final class Calculation {
        let function: ScalarFunction
        let isDecimal: Bool

        init(_ function: ScalarFunction, isDecimal: Bool) {
            self.function = function
            self.isDecimal = isDecimal
        }

        func run(_ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>, _ count: Int32) {
            let read = isDecimal ? StoreFunctions.decimalValue : StoreFunctions.value
            do {
                let first = read(arguments[0])
                let result = count == 1 ? try function(first) : try function(first, read(arguments[1]))
                StoreFunctions.setResult(context, result)
            } catch {
                StoreFunctions.fail(context, error)
            }
        }
    }

    private static func register(_ handle: OpaquePointer, _ name: String, _ count: Int, _ calculation: Calculation) {
        sqlite3_create_function_v2(
            handle, name, Int32(count), flags, Unmanaged.passRetained(calculation).toOpaque(),
            { context, count, arguments in
                guard let context, let arguments, let data = sqlite3_user_data(context) else { return }
                Unmanaged<Calculation>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.run(context, arguments, count) }
            }, nil, nil, { data in if let data { Unmanaged<Calculation>.fromOpaque(data).release() } })
    }

    /// A number as a `Float` has it; anything else as it is.
    private static func registerFloat(_ handle: OpaquePointer) {
        sqlite3_create_function_v2(
            handle, float, 1, flags, nil,
            { context, _, arguments in
                guard let context, let value = arguments?[0] else { return }
                if ColumnEncoding.isNumber(sqlite3_value_type(value)) {
                    sqlite3_result_double(context, ValueDomain.float(sqlite3_value_double(value)))
                } else {
                    sqlite3_result_value(context, value)
                }
            }, nil, nil, nil)
    }

    // MARK: Collations

    private static func registerCollations(_ handle: OpaquePointer) {
        for (index, comparison) in TextComparison.allCases.enumerated() where comparison != .codePoints {
            sqlite3_create_collation_v2(
                handle, collation(comparison), SQLITE_UTF8, UnsafeMutableRawPointer(bitPattern: index),
                { data, firstCount, first, secondCount, second in
                    let comparison = TextComparison.allCases[Int(bitPattern: data)]
                    func text(_ start: UnsafeRawPointer?, _ count: Int32) -> String {
                        String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
                    }
                    return Int32(comparison.compare(text(first, firstCount), text(second, secondCount)).rawValue)
                }, nil)
        }
    }

    // MARK: Sums

    /// What an aggregate function has added up so far.
    private final class Sum {
        private var total = PredicateValue.integer(0)
        private var count: Int64 = 0
        private var failure: (any Error)?

        func add(_ value: PredicateValue) {
            guard failure == nil, !value.isNull else { return }
            count += 1
            // Nearly all sums: without a function that takes values of every kind.
            if case .integer(let sum) = total, case .integer(let number) = value {
                let (next, overflows) = sum.addingReportingOverflow(number)
                if !overflows {
                    total = .integer(next)
                    return
                }
            }
            do { total = try StoreFunctions.add(total, value) } catch { failure = error }
        }

        func total(isAverage: Bool) throws -> PredicateValue {
            if let failure { throw failure }
            guard isAverage else { return total }
            return count == 0 ? .null : try StoreFunctions.divide(total, .integer(count))
        }
    }

    fileprivate static func add(_ a: PredicateValue, _ b: PredicateValue) throws -> PredicateValue {
        try ScalarFunction(.add)(a, b)
    }

    fileprivate static func divide(_ a: PredicateValue, _ b: PredicateValue) throws -> PredicateValue {
        try ScalarFunction(.divide)(a, b)
    }

    private static func registerSums(_ handle: OpaquePointer) {
        sqlite3_create_function_v2(
            handle, sum, 1, flags, nil, nil, { StoreFunctions.step($0, $2) { StoreFunctions.value($0) } },
            { StoreFunctions.finish($0, isAverage: false) }, nil)
        sqlite3_create_function_v2(
            handle, decimalSum, 1, flags, nil, nil, { StoreFunctions.step($0, $2) { StoreFunctions.decimalValue($0) } },
            { StoreFunctions.finish($0, isAverage: false) }, nil)
        sqlite3_create_function_v2(
            handle, decimalAverage, 1, flags, nil, nil, { StoreFunctions.step($0, $2) { StoreFunctions.decimalValue($0) } },
            { StoreFunctions.finish($0, isAverage: true) },
            nil)
    }

    /// SQLite keeps a pointer for each running aggregate: to the sum, which is released at the end.
    private static func step(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ read: (OpaquePointer?) -> PredicateValue
    ) {
        guard let place = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size)), let arguments else {
            return
        }
        let slot = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        let pointer = slot.pointee ?? Unmanaged.passRetained(Sum()).toOpaque()
        slot.pointee = pointer
        Unmanaged<Sum>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.add(read(arguments[0])) }
    }

    private static func finish(_ context: OpaquePointer?, isAverage: Bool) {
        guard let context else { return }
        let place = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        let sum = place?.pointee.map { Unmanaged<Sum>.fromOpaque($0).takeRetainedValue() } ?? Sum()
        do { setResult(context, try sum.total(isAverage: isAverage)) } catch { fail(context, error) }
    }
}
