import DataModel
import Predicates

/// Mistakes.
extension QueryResolver {
    func suggestion(_ name: String, _ names: [String]) -> String {
        NearestName.suggestion(for: name, among: names).map { "Did you mean \"\($0)\"?" }
            ?? "There are: \(names.sorted().joined(separator: ", "))"
    }

    func unknownKey(_ key: String, _ layout: EntityLayout) -> InvalidPredicateError {
        let subentities = environment.layout.family(of: layout.index).dropFirst().map { environment.layout.entities[$0] }
        if let owner = subentities.first(where: { $0.slotByName[key] != nil || $0.composites[key] != nil }) {
            return InvalidPredicateError(
                .key, "keypath \(key) not found in entity \(layout.name)",
                suggestion: "It is a property of the subentity \(owner.name): fetch that one")
        }
        let names = layout.slotByName.filter { layout.kind($1) != .vacant }.map(\.key) + layout.composites.keys
        return InvalidPredicateError(
            .key, "keypath \(key) not found in entity \(layout.name)",
            suggestion: environment.hint(key, layout) ?? suggestion(key, names))
    }

    /// What to throw for a transient property.
    func transient(_ key: String, _ layout: EntityLayout) throws -> any Error {
        if environment.allowsTransients { return Inexpressible() }
        return InvalidPredicateError(
            .key, "keypath \(key) not found in entity \(layout.name): the property is transient, so the store does not have it",
            suggestion: "Fetch with the other conditions and filter the objects in memory")
    }

    func toMany(_ name: String) -> InvalidPredicateError {
        InvalidPredicateError(
            .type, "to-many key not allowed here: \(name)",
            suggestion: "Write ANY or ALL before the comparison, or use @count, another collection operator, or SUBQUERY")
    }

    func tooLong(_ count: Int) -> InvalidPredicateError {
        InvalidPredicateError(.nesting, "A key path of \(count) keys is too long: \(TreeDepth.greatestKeyCount) are allowed")
    }

    func needsNumber(_ name: String, _ type: RowType) -> InvalidPredicateError {
        InvalidPredicateError(.type, "\"\(name)\" needs a number, not \(type.name)")
    }

    func mismatch(_ left: Term, _ right: Term, _ verb: String = "can't be compared") -> InvalidPredicateError {
        var hint: String?
        switch (type(of: left), type(of: right)) {
        case (.date, let other), (let other, .date):
            if other.isNumber { hint = "Write CAST(seconds, \"NSDate\") for a date" }
        case (.uuid, .text), (.text, .uuid): hint = "Pass a UUID, or write CAST(\"…\", \"NSUUID\")"
        case (.url, .text), (.text, .url): hint = "Pass a URL, or write CAST(\"…\", \"NSURL\")"
        default: break
        }
        return InvalidPredicateError(.type, "\(describe(left)) and \(describe(right)) \(verb)", suggestion: hint)
    }

    private func type(of term: Term) -> RowType {
        switch term {
        case .value(_, let type): type
        case .literal(.string): .text
        case .literal(.date): .date
        case .literal(.uuid): .uuid
        case .literal(.url): .url
        case .literal(let value): value.isNumber ? .number : .opaque
        default: .opaque
        }
    }

    /// A term for messages.
    func describe(_ term: Term) -> String {
        switch term {
        case .literal(let value): return value.typeName
        case .value(.attribute(let path, let slot), let type):
            let layout = layout(path)
            return "\(layout.name).\(layout.slots[slot].name) (\(type.name))"
        case .value(_, let type): return type.name
        case .object(let path): return "an object of \(layout(path).name)"
        case .composite(let path, let composite): return "the composite attribute \(layout(path).name).\(composite.name)"
        case .members(let members):
            guard let step = members.steps.last else { return "a to-many relationship" }
            let name = layout(step.owner).relationship(id: step.relationship)?.name ?? ""
            return "the to-many relationship \(layout(step.owner).name).\(name)"
        case .elements: return "a collection"
        }
    }
}
