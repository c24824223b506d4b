package import Foundation
package import Predicates

/// What a derived attribute is computed from: its expression, checked against the entity that declares the attribute.
///
/// Stores build everything they do for the attribute from this; the expression's text goes no further.
package struct Derivation {
    package enum Kind: Hashable, Sendable {
        /// The time of the save.
        case now
        /// The value of an attribute, as it is or as a function of texts makes it.
        case value(PredicateFunction?)
        /// How many members there are.
        case count
        /// The sum of an attribute of the members.
        case sum
    }

    /// Why an attribute can't be derived: the end of a sentence that starts with its expression.
    package struct Problem: Error {
        package let text: String

        package init(text: String) { self.text = text }
    }

    package let kind: Kind
    /// The to-one relationships that lead from the object to what has the value or the members.
    package let steps: [String]
    /// The to-many relationship whose members are counted or added up.
    package let members: String?
    /// The attribute whose value it is or whose values are added up; for an element of a composite its path.
    package let attribute: String?
    /// Which members count; nil for all. It reads nothing but their own attributes.
    package let filter: NSPredicate?

    private let source: NSAttributeDescription?

    /// How many relationships a derivation may follow, and how many derived attributes may depend on each other.
    private static let maximalDepth = 8

    /// - Throws: `Problem`
    package init(_ derived: NSDerivedAttributeDescription) throws {
        self = try Self.unchecked(derived)
        // Each derivation has one source, so that what stands on what is a chain.
        var next = source as? NSDerivedAttributeDescription
        for _ in 0..<Self.maximalDepth {
            guard let other = next else { return }
            guard other !== derived else { throw Problem(text: "derives the attribute from itself") }
            next = (try? Self.unchecked(other))?.source as? NSDerivedAttributeDescription
        }
        if next != nil {
            throw Problem(text: "depends on more than \(Self.maximalDepth) other derived attributes, or on itself")
        }
    }

    private init(
        _ kind: Kind, _ steps: [String], _ members: String?, _ attribute: String?, _ source: NSAttributeDescription?,
        _ filter: NSPredicate?
    ) {
        (self.kind, self.steps, self.members, self.attribute) = (kind, steps, members, attribute)
        (self.source, self.filter) = (source, filter)
    }

    // MARK: Reading

    private static func unchecked(_ derived: NSDerivedAttributeDescription) throws -> Derivation {
        guard let text = derived.derivationExpressionString else { throw Problem(text: "is missing") }
        guard let entity = derived.owningEntity else { throw Problem(text: "belongs to no entity") }
        guard !derived.isTransient else { throw Problem(text: "is of a transient attribute, which no store keeps") }
        let node: ExpressionNode
        do { node = try PredicateParser.expression(text, []) } catch {
            guard let path = plainPath(text) else { throw Problem(text: "can't be read: \(error)") }
            node = path
        }
        guard let (kind, keys) = shape(node) else { throw unknownShape }
        if let key = keys.first(where: { $0.hasPrefix("@") }) {
            throw Problem(
                text: key == "@count" || key == "@sum"
                    ? "uses the operator \(key) as an intermediate component: it must come last, as in notes.length.@sum"
                    : "uses “\(key)”: only @count and @sum can be derived")
        }
        return try walk(kind, keys, from: entity, of: derived)
    }

    /// A path of names that the format language can't write, such as emoji.
    private static func plainPath(_ text: String) -> ExpressionNode? {
        let keys = text.split(separator: ".", omittingEmptySubsequences: false)
        let arePlain = keys.allSatisfy { key in
            let name = key.hasPrefix("@") ? key.dropFirst() : key
            return !name.isEmpty && name.unicodeScalars.allSatisfy { $0.value >= 0x80 || $0.properties.isXIDContinue }
        }
        return arePlain ? .keyPath(text) : nil
    }

    private static let unknownShape = Problem(
        text: "is not one that a store can derive: an attribute, also over to-one relationships (author.name); canonical:(name), "
            + "uppercase:(name) or lowercase:(name); notes.@count; notes.length.@sum; now()")

    private static func shape(_ node: ExpressionNode) -> (Kind, [String])? {
        switch node {
        case .function(.now, _): return (.now, [])
        case .function(let function, let arguments):
            guard arguments.count == 1, case .keyPath(.evaluatedObject, let keys) = arguments[0] else { return nil }
            switch function {
            case .canonical, .uppercase, .lowercase: return (.value(function), keys)
            case .count: return (.count, keys)
            case .sum: return (.sum, keys)
            default: return nil
            }
        case .keyPath(.evaluatedObject, let keys):
            switch keys.last {
            case "@count": return (.count, keys.dropLast())
            case "@sum": return (.sum, keys.dropLast())
            default: return (.value(nil), keys)
            }
        default: return nil
        }
    }

    private static func walk(
        _ kind: Kind, _ keys: [String], from start: NSEntityDescription, of derived: NSDerivedAttributeDescription
    ) throws -> Derivation {
        let isAggregate = kind == .count || kind == .sum
        var place = start
        var steps: [String] = []
        var members: String?
        var rest = keys[...]
        while let key = rest.first, let relationship = place.propertiesByName[key] as? NSRelationshipDescription {
            guard !relationship.isTransient, let destination = relationship.destinationEntity else {
                throw Problem(text: "follows \(relationship.qualifiedName), which no store keeps")
            }
            guard members == nil else {
                throw Problem(
                    text: "follows “\(key)” after a to-many relationship: only an attribute of the members can come there")
            }
            if relationship.isToMany {
                guard isAggregate else {
                    throw Problem(
                        text: "follows the to-many relationship \(relationship.qualifiedName) without @count or @sum at its end")
                }
                members = key
            } else {
                steps.append(key)
            }
            guard steps.count <= maximalDepth else { throw Problem(text: "follows more than \(maximalDepth) relationships") }
            place = destination
            rest.removeFirst()
        }
        if isAggregate, members == nil { throw notToMany(keys, rest, place) }
        let source = kind == .count || kind == .now ? nil : try attribute(rest, of: place)
        if kind == .count, let key = rest.first {
            throw Problem(text: "counts “\(key)”: @count must come directly after a to-many relationship")
        }
        try checkTypes(kind, source, derived)
        try checkFilter(derived.filterPredicate, kind, place)
        return Derivation(
            kind, steps, members, source == nil ? nil : rest.joined(separator: "."), source, derived.filterPredicate)
    }

    private static func notToMany(_ keys: [String], _ rest: ArraySlice<String>, _ place: NSEntityDescription) -> Problem {
        if let key = rest.first, place.propertiesByName[key] == nil {
            return Problem(text: "names “\(key)”, but \(place.name ?? "") has no such property")
        }
        return Problem(
            text: "needs a to-many relationship in front of its operator, which “\(keys.joined(separator: "."))” is not")
    }

    private static func attribute(_ keys: ArraySlice<String>, of entity: NSEntityDescription) throws -> NSAttributeDescription {
        guard let first = keys.first else { throw Problem(text: "ends with a relationship: it must end with an attribute") }
        guard var property = entity.propertiesByName[first] else {
            throw Problem(text: "names “\(first)”, but \(entity.name ?? "") has no such property")
        }
        for key in keys.dropFirst() {
            guard let element = (property as? NSCompositeAttributeDescription)?.elements.first(where: { $0.name == key }) else {
                throw Problem(text: "names “\(key)” behind \(entity.name ?? "").\(first), which has no such part")
            }
            property = element
        }
        guard let attribute = property as? NSAttributeDescription, !(attribute is NSCompositeAttributeDescription),
            !attribute.isTransient, attribute.attributeType != .undefinedAttributeType,
            attribute.attributeType != .objectIDAttributeType
        else {
            throw Problem(text: "needs an attribute that stores keep, which \(entity.name ?? "").\(first) is not")
        }
        return attribute
    }

    // MARK: Types

    private static func checkTypes(
        _ kind: Kind, _ source: NSAttributeDescription?, _ derived: NSDerivedAttributeDescription
    ) throws {
        let type = derived.attributeType
        func need(_ fits: Bool, _ what: String) throws {
            if !fits { throw Problem(text: "gives \(what), but the attribute is of type \(derived.type)") }
        }
        switch kind {
        // Seconds since the reference date, as dates are stored, where the attribute is a number with fractions.
        case .now: try need([.dateAttributeType, .doubleAttributeType, .floatAttributeType].contains(type), "a date")
        case .count: try need(type.isNumber, "a number")
        case .sum:
            guard let source, source.attributeType.isNumber else {
                throw Problem(text: "adds up \(source.map { "values of type \($0.type)" } ?? "nothing"): only numbers have a sum")
            }
            try need(type.isNumber, "a number")
        case .value(let function):
            guard let source else { throw unknownShape }
            if let function {
                guard source.attributeType == .stringAttributeType else {
                    throw Problem(text: "applies \(function.rawValue) to a value of type \(source.type): it needs a String")
                }
            }
            let isPlain = source.attributeType != .transformableAttributeType && !source.allowsExternalBinaryDataStorage
            guard isPlain, !derived.allowsExternalBinaryDataStorage else {
                throw Problem(text: "copies a transformable value, or one that may be kept in a file, which can't be derived")
            }
            try need(
                source.attributeType == type || source.attributeType.isNumber && type.isNumber, "a value of type \(source.type)")
        }
    }

    /// When members change, a store looks again only at what their own rows tell.
    private static func checkFilter(_ filter: NSPredicate?, _ kind: Kind, _ members: NSEntityDescription) throws {
        guard let filter else { return }
        guard kind == .count || kind == .sum else {
            throw Problem(text: "has a filterPredicate, which only derivations with @count or @sum can have")
        }
        for keys in PredicateNode(filter).keyPaths {
            let attribute = try attribute(keys[...], of: members)
            if attribute is NSDerivedAttributeDescription {
                throw Problem(text: "has a filterPredicate that reads the derived attribute “\(attribute.name)”")
            }
        }
    }
}

extension NSAttributeType {
    /// Whether values are numbers, booleans not among them.
    fileprivate var isNumber: Bool {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .floatAttributeType, .doubleAttributeType,
            .decimalAttributeType:
            true
        default: false
        }
    }
}

extension NSDerivedAttributeDescription {
    /// Why no store can derive the attribute; nil if one can, and for an attribute without expression, which stores leave as it
    /// is.
    package final var problem: String? {
        guard derivationExpressionString != nil else { return nil }
        do {
            _ = try Derivation(self)
            return nil
        } catch let problem as Derivation.Problem {
            return "the derivation “\(derivationExpressionString ?? "")” \(problem.text)"
        } catch {
            return "the derivation “\(derivationExpressionString ?? "")” can't be used: \(error)"
        }
    }
}
