import CSQLite
import Foundation
import Predicates

/// The functions of texts: the first argument is always a number that tells operator and options.
extension StoreFunctions {
    static func registerTextFunctions(_ handle: OpaquePointer) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        sqlite3_create_function_v2(
            handle, fold, 2, flags, nil,
            { context, _, arguments in
                guard let context, let arguments, let text = StoreFunctions.text(arguments[1]) else { return }
                StoreFunctions.setResult(
                    context, .string(TextFolding.fold(text, StoreFunctions.options(sqlite3_value_int64(arguments[0])))))
            }, nil, nil, nil)
        sqlite3_create_function_v2(
            handle, compare, 3, flags, nil,
            { context, _, arguments in
                guard let context, let arguments, let a = StoreFunctions.text(arguments[1]),
                    let b = StoreFunctions.text(arguments[2])
                else { return }
                let order = TextOrder.compare(a, b, StoreFunctions.options(sqlite3_value_int64(arguments[0])))
                sqlite3_result_int64(context, Int64(order.rawValue))
            }, nil, nil, nil)
        sqlite3_create_function_v2(
            handle, matches, 3, flags, nil,
            { context, _, arguments in
                guard let context, let arguments, let text = StoreFunctions.text(arguments[1]) else { return }
                do {
                    guard let matcher = try StoreFunctions.matcher(context, arguments) else { return }
                    sqlite3_result_int(context, try matcher.matches(text) ? 1 : 0)
                } catch {
                    StoreFunctions.fail(context, error)
                }
            }, nil, nil, nil)
    }

    fileprivate static func options(_ code: Int64) -> _NSComparisonPredicate.Options {
        _NSComparisonPredicate.Options(rawValue: UInt(code & 0xFF))
    }

    private final class KeptMatcher {
        let matcher: TextMatcher

        init(_ matcher: TextMatcher) { self.matcher = matcher }
    }

    /// The matcher for the pattern. SQLite keeps it for the other rows if the pattern is a parameter. Nil for a nil pattern.
    fileprivate static func matcher(
        _ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>
    ) throws -> TextMatcher? {
        if let kept = sqlite3_get_auxdata(context, 2) {
            return Unmanaged<KeptMatcher>.fromOpaque(kept)._withUnsafeGuaranteedRef { $0.matcher }
        }
        guard let pattern = text(arguments[2]) else { return nil }
        let code = sqlite3_value_int64(arguments[0])
        guard let comparisonOperator = _NSComparisonPredicate.Operator(rawValue: UInt(code >> 8)) else { return nil }
        let matcher = try TextMatcher(comparisonOperator, pattern, options(code))
        sqlite3_set_auxdata(context, 2, Unmanaged.passRetained(KeptMatcher(matcher)).toOpaque()) { data in
            if let data { Unmanaged<KeptMatcher>.fromOpaque(data).release() }
        }
        return matcher
    }
}
