import DataModel
import Predicates
package import Storage

/// Parts of messages about names that a model does not have.
extension EntityLayout {
    /// A hint for a property's Swift name where strings need the stored name; nil for any other name.
    func storedNameHint(_ name: String) -> String? {
        guard let typed = EntityClass.resolve(description) as? any _SlotOrderedObject.Type,
            let stored = typed._storedName(of: name), stored != name
        else { return nil }
        return "“\(name)” is stored as “\(stored)”: write that"
    }

    /// A message about the name that was given, followed by the names that exist.
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
