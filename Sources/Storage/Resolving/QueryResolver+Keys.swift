import DataModel
import Foundation
import Predicates

/// Key paths.
extension QueryResolver {
    /// What keys lead to.
    mutating func walk(_ term: Term, _ keys: ArraySlice<String>) throws -> Term {
        // No store joins so many rows, and each may need a level of the stack.
        guard keys.count <= Self.greatestKeyCount else { throw Inexpressible() }
        var term = term
        var keys = keys
        while let key = keys.popFirst() {
            if key.hasPrefix("@") { return try collectionOperator(key, keys, of: term) }
            term = try step(term, key)
        }
        return term
    }

    private mutating func step(_ term: Term, _ key: String) throws -> Term {
        if key == "self" { return term }
        switch term {
        case .object(let path): return try property(key, of: path)
        case .composite(let path, let composite): return try element(key, of: composite, path)
        case .members(var members):
            // Each key after a to-many relationship is followed from its members.
            switch try step(members.element, key) {
            case .members(let inner):
                members.steps += inner.steps
                members.element = inner.element
            case let element: members.element = element
            }
            return .members(members)
        case .value(let expression, .text) where key == "length": return .value(.function(.length, [expression]), .integer)
        case .value(_, let type): return try foundationKey(key, of: type)
        case .literal(.null): return term
        case .literal, .elements: throw Inexpressible()
        }
    }

    private mutating func property(_ key: String, of path: RowPath) throws -> Term {
        let layout = layout(path)
        if let composite = layout.composites[key] { return .composite(path, composite) }
        guard let slot = layout.slotByName[key], layout.kind(slot) != .vacant else {
            switch key {
            case "objectID": return .object(path)
            case "entity": return .value(.entity(path), .entity)
            default: throw unknownKey(key, layout)
            }
        }
        guard let relationship = layout.relationship(slot: slot) else { return try attribute(slot, path) }
        guard relationship.storage != .transient else { throw try transient(key, layout) }
        guard relationship.isToMany else {
            return .object(path.appending(.init(relationship: relationship.id, entity: relationship.destination)))
        }
        let members = RowMembers(
            owner: path, relationship: relationship.id, entity: relationship.destination, scope: newScope())
        return .members(MembersTerm(steps: [members], element: .object(members.member)))
    }

    private func attribute(_ slot: Int, _ path: RowPath) throws -> Term {
        let layout = layout(path)
        guard layout.slots[slot].isPersistent else { throw try transient(layout.slots[slot].name, layout) }
        return .value(.attribute(path, slot: slot), RowType(layout.slots[slot].attribute))
    }

    private func element(_ key: String, of composite: CompositeLayout, _ path: RowPath) throws -> Term {
        guard let element = composite.elements.first(where: { $0.name == key }) else {
            let names = composite.elements.map(\.name)
            throw InvalidPredicateError(
                .key, "The composite attribute \"\(composite.name)\" of \(layout(path).name) has no element \"\(key)\"",
                suggestion: suggestion(key, names))
        }
        switch element.element {
        case .slot(let slot): return try attribute(slot, path)
        case .composite(let inner): return .composite(path, inner)
        }
    }

    /// A key of a text, a date, …: known in memory only.
    private func foundationKey(_ key: String, of type: RowType) throws -> Term {
        let sample: PredicateValue? =
            switch type {
            case .integer, .real, .number, .decimal, .mixed: .integer(0)
            case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
            case .text: .string("")
            case .url: .url(URL(fileURLWithPath: "/"))
            case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
            case .data: .data(Data())
            case .null, .key, .entity, .opaque: nil
            }
        if type == .entity, !NSEntityDescription.keys.contains(key) {
            throw InvalidPredicateError(
                .key, "An entity has no value for the key \"\(key)\"",
                suggestion: suggestion(key, NSEntityDescription.keys.sorted()))
        }
        if let sample, FoundationKeys.value(of: sample, forKey: key) == nil {
            throw InvalidPredicateError(.key, "\(sample.typeName) has no value for the key \"\(key)\"")
        }
        throw Inexpressible()
    }

    // MARK: Collection operators

    private mutating func collectionOperator(_ name: String, _ rest: ArraySlice<String>, of term: Term) throws -> Term {
        guard let collectionOperator = CollectionOperator(rawValue: name) else {
            throw InvalidPredicateError(
                .key, "There is no collection operator \"\(name)\"",
                suggestion: suggestion(name, CollectionOperator.allCases.map(\.rawValue)))
        }
        guard case .members(var members) = term else {
            if case .literal(.null) = term { return try emptyValue(collectionOperator) }
            if case .literal = term { throw Inexpressible() }
            if case .elements = term { throw Inexpressible() }
            throw InvalidPredicateError(.type, "\(name) needs a to-many relationship, not \(describe(term))")
        }
        if collectionOperator == .count {
            guard rest.isEmpty else {
                throw InvalidPredicateError(.key, "A number has no value for the key \"\(rest.joined(separator: "."))\"")
            }
            return try aggregate(.count, of: members)
        }
        guard case .members(let whole) = try walk(.members(members), rest) else { throw Inexpressible() }
        members = whole
        switch collectionOperator {
        case .sum: return try aggregate(.sum, of: members)
        case .average: return try aggregate(.average, of: members)
        case .minimum: return try aggregate(.min, of: members)
        case .maximum: return try aggregate(.max, of: members)
        default: throw Inexpressible()
        }
    }

    private func emptyValue(_ collectionOperator: CollectionOperator) throws -> Term {
        switch collectionOperator {
        case .count, .sum: .literal(.integer(0))
        case .average, .minimum, .maximum: .literal(.null)
        default: throw Inexpressible()
        }
    }

    /// One of the functions of collections.
    mutating func aggregate(_ function: PredicateFunction, of members: MembersTerm) throws -> Term {
        guard members.steps.count == 1 else { throw Inexpressible() }
        let step = members.steps[0]
        if function == .count { return .value(.aggregate(.count, step, nil), .integer) }
        let (value, type) = try value(members.element)
        switch function {
        case .min, .max:
            guard type.isOrdered else { throw needsNumber(function.rawValue, type) }
            guard type != .opaque else { throw Inexpressible() }
            return .value(.aggregate(function == .min ? .minimum : .maximum, step, value), type)
        case .sum, .average:
            guard type.isNumber else { throw needsNumber(function.rawValue, type) }
            let isSum = function == .sum
            switch type {
            case .decimal: return .value(.aggregate(isSum ? .decimalSum : .decimalAverage, step, value), .decimal)
            case .mixed: throw Inexpressible()
            default:
                guard isSum else { return .value(.aggregate(.average, step, value), .real) }
                return .value(.aggregate(isSmall(value) ? .sum : .largeSum, step, value), .number)
            }
        default: throw Inexpressible()
        }
    }

    /// Whether no sum of such values leaves 64 bits.
    func isSmall(_ value: RowExpression) -> Bool {
        guard case .attribute(let path, let slot) = value else { return false }
        return layout(path).slots[slot].attributeType != .integer64AttributeType
    }
}
