import DataModel
import Predicates
import Storage

/// What to say about names that a model does not have.
extension EntityLayout {
    /// What is said of a name that is that of a property in Swift, where strings need the stored one; nil for any other.
    func storedNameHint(_ name: String) -> String? {
        guard let typed = EntityClass.resolve(description) as? any SlotOrderedObject.Type,
            let stored = typed._storedName(of: name), stored != name
        else { return nil }
        return "“\(name)” is stored as “\(stored)”: write that"
    }

    /// The names there are, after what is said of the one that was given.
    package func names(_ names: some Sequence<String>, insteadOf name: String) -> String {
        let list = "It has: " + names.sorted().joined(separator: ", ")
        return storedNameHint(name).map { "\($0). \(list)" } ?? list
    }
}

extension ModelLayout {
    /// A sentence about an entity that the model does not have, and the name that may be meant.
    func missingEntity(_ name: String, for owner: String) -> String {
        let near = NearestName.suggestion(for: name, among: entities.map(\.name)).map { ". Did you mean “\($0)”?" } ?? ""
        return "\(owner) could not locate an entity named “\(name)” in the model\(near)"
    }
}
