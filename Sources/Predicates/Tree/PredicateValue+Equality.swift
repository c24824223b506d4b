import Foundation

/// An object that stands for a record: managed objects and their IDs.
///
/// Predicates compare such objects by what they stand for, so an object equals its ID and the same record's object in another
/// context.
package protocol PredicateIdentity: AnyObject {
    /// The record's identity.
    var predicateIdentity: AnyHashable { get }
}

/// Equality as predicates see it: numbers and Booleans by value whatever their types, texts by code points, records by identity.
extension PredicateValue: Hashable {
    package static func == (left: PredicateValue, right: PredicateValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.string(let a), .string(let b)): Text.areEqual(a, b)
        case (.date(let a), .date(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.url(let a), .url(let b)): a.absoluteString == b.absoluteString
        case (.collection(let a), .collection(let b)): a == b
        case (.object(let a), .object(let b)): areEqual(a, b)
        case (.other(let a), .other(let b)): areEqual(a.value, b.value)
        default:
            left.isNumber && right.isNumber && !left.isNaN && !right.isNaN && left.sortKey.compare(right.sortKey) == .orderedSame
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .unsigned(let value): hasher.combine(value)
        case .double(let value): Self.hash(value, into: &hasher)
        case .decimal(let value): Self.hash(value.nearestDouble, into: &hasher)
        case .string(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .url(let value): hasher.combine(value.absoluteString)
        case .collection(let value): hasher.combine(value)
        case .object(let value): Self.hash(value, into: &hasher)
        case .other(let value):
            if let dictionary = value.value as? any UntypedDictionary {
                hasher.combine(dictionary.untyped.count)
            } else if let value = value.value as? any Hashable {
                hasher.combine(value)
            }
        }
    }

    /// Numbers of all kinds hash alike when they are whole, so that equal ones do.
    private static func hash(_ number: Double, into hasher: inout Hasher) {
        if let whole = Int64(exactly: number) {
            hasher.combine(whole)
        } else if let whole = UInt64(exactly: number) {
            hasher.combine(whole)
        } else {
            hasher.combine(number)
        }
    }

    private static func areEqual(_ a: AnyObject, _ b: AnyObject) -> Bool {
        if a === b { return true }
        if let a = a as? any PredicateIdentity {
            guard let b = b as? any PredicateIdentity else { return false }
            return a.predicateIdentity == b.predicateIdentity
        }
        if let a = a as? NSObject { return a.isEqual(b) }
        return areEqual(a as Any, b as Any)
    }

    private static func areEqual(_ a: Any, _ b: Any) -> Bool {
        if let a = a as? any UntypedDictionary, let b = b as? any UntypedDictionary { return areEqual(a.untyped, b.untyped) }
        if let a = a as? any Equatable { return isEqual(a, b) }
        return false
    }

    private static func areEqual(_ a: [AnyHashable: Any], _ b: [AnyHashable: Any]) -> Bool {
        a.count == b.count && a.allSatisfy { key, value in b[key].map { PredicateValue($0) == PredicateValue(value) } ?? false }
    }

    private static func isEqual<T: Equatable>(_ a: T, _ b: Any) -> Bool {
        if let b = b as? T { return a == b }
        return false
    }

    private static func hash(_ object: AnyObject, into hasher: inout Hasher) {
        if let object = object as? any PredicateIdentity {
            hasher.combine(object.predicateIdentity)
        } else if let object = object as? NSObject {
            hasher.combine(object.hash)
        } else if let object = object as? any Hashable {
            hasher.combine(object)
        } else if !(object is any Equatable) {
            hasher.combine(ObjectIdentifier(object))
        }
    }
}

extension ValueCollection: Hashable {
    /// A set equals any collection of the same elements; others compare in order.
    package static func == (left: ValueCollection, right: ValueCollection) -> Bool {
        guard left.kind == .set || right.kind == .set else { return left.elements == right.elements }
        return Set(left.elements) == Set(right.elements)
    }

    package func hash(into hasher: inout Hasher) {
        // Only what a set and an array of the same elements have in common.
        hasher.combine(Set(elements))
    }
}

extension PredicateValue {
    /// The whole number that a text is when it is written as numbers are, without blanks and zeros that say nothing; nil for
    /// other texts.
    package init?(digits text: String) {
        guard let number = Int64(text), String(number) == text else { return nil }
        self = .integer(number)
    }

    /// Whether the value is a number.
    package var isNumber: Bool {
        switch self {
        case .integer, .unsigned, .double, .decimal: true
        default: false
        }
    }

    /// The value's place in the order of all values.
    var sortKey: SortKey {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .unsigned(let value): .bigInteger(value)
        case .double(let value): .double(value)
        case .decimal(let value): .decimal(value)
        case .string(let value): .text(value)
        case .date(let value): .double(value.timeIntervalSinceReferenceDate)
        case .data(let value): .bytes(value)
        case .uuid(let value): .uuid(value)
        case .url(let value): .text(value.absoluteString)
        case .collection(let value): .other(value.any)
        case .object(let value): .other(value)
        case .other(let value): .other(value.value)
        }
    }
}
