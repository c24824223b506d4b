import DataModel
import Foundation
import Predicates
import Storage

/// One column of a dictionary result.
struct DictionaryColumn {
    let name: String
    let node: ExpressionNode
    /// The type in which the values are shown; undefined shows them as they are.
    var type: NSAttributeDescription.AttributeType

    // MARK: Values

    /// A value in the class that belongs to the type.
    static func shown(_ value: PredicateValue, as type: NSAttributeDescription.AttributeType) -> Any? {
        if value.isNull { return nil }
        switch type {
        case .integer16, .integer32, .integer64: return integer(value).map { NSNumber(value: $0) } ?? any(value)
        case .boolean: return value.isNumber ? NSNumber(value: value.doubleValue != 0) : any(value)
        case .double, .float:
            guard value.isNumber else { return any(value) }
            let number = value.doubleValue
            return type == .float && !ValueDomain.isBeyondFloat(number) ? NSNumber(value: Float(number)) : NSNumber(value: number)
        case .decimal:
            switch value {
            case .integer(let number): return NSDecimalNumber(decimal: Decimal(number))
            case .double(let number): return NSDecimalNumber(decimal: Row.decimal(from: number))
            default: return any(value)
            }
        case .date: return value.isNumber ? Date(timeIntervalSinceReferenceDate: value.doubleValue) : any(value)
        case .uuid:
            guard case .data(let data) = value, data.count == 16 else { return any(value) }
            return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        case .uri:
            guard case .string(let text) = value else { return any(value) }
            return URL(string: text) ?? text
        default: return any(value)
        }
    }

    private static func integer(_ value: PredicateValue) -> Int64? {
        if case .integer(let number) = value { return number }
        return value.isNumber ? Int64(exactly: value.doubleValue.rounded(.towardZero)) : nil
    }

    private static func any(_ value: PredicateValue) -> Any? {
        if case .object(let object) = value, let object = object as? NSManagedObject { return object.objectID }
        return value.any
    }
}

extension ExpressionNode {
    /// The node with `@sum.amount` of the rows themselves written as `sum:(amount)`, in all parts.
    var withRowFunctions: ExpressionNode {
        switch self {
        case .keyPath(.evaluatedObject, let keys):
            guard let first = keys.first, let function = Self.functions[first] else { return self }
            let rest = Array(keys.dropFirst())
            return .function(function, [rest.isEmpty ? .evaluatedObject : .keyPath(rest, of: .evaluatedObject)])
        case .function(let function, let arguments): return .function(function, arguments.map(\.withRowFunctions))
        default: return self
        }
    }

    private static let functions: [String: PredicateFunction] = [
        "@count": .count, "@sum": .sum, "@avg": .average, "@min": .min, "@max": .max,
    ]

    /// The node with others in place of some of its parts.
    func replacing(_ replacement: (ExpressionNode) throws -> ExpressionNode?) rethrows -> ExpressionNode {
        if let other = try replacement(self) { return other }
        switch self {
        case .function(let function, let arguments):
            return .function(function, try arguments.map { try $0.replacing(replacement) })
        case .aggregate(let elements): return .aggregate(try elements.map { try $0.replacing(replacement) })
        case .conditional(let test, let yes, let no):
            return .conditional(try test.replacing(replacement), try yes.replacing(replacement), try no.replacing(replacement))
        default: return self
        }
    }
}

extension PredicateNode {
    /// The predicate with other expressions in place of some of its own.
    func replacing(_ replacement: (ExpressionNode) throws -> ExpressionNode?) rethrows -> PredicateNode {
        switch self {
        case .constant, .foreign: return self
        case .not(let operand): return .not(try operand.replacing(replacement))
        case .and(let operands): return .and(try operands.map { try $0.replacing(replacement) })
        case .or(let operands): return .or(try operands.map { try $0.replacing(replacement) })
        case .comparison(var comparison):
            comparison.left = try comparison.left.replacing(replacement)
            comparison.right = try comparison.right.replacing(replacement)
            return .comparison(comparison)
        }
    }
}
