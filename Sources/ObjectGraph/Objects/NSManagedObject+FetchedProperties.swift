import DataModel
import Foundation
import Predicates

/// Properties whose value is what a fetch request finds.
extension NSManagedObject {
    final func fetchedProperty(_ key: String) -> NSFetchedPropertyDescription? {
        layout.description.propertiesByName[key] as? NSFetchedPropertyDescription
    }

    /// What the property's request found when it was first read, since the object was last refreshed.
    final func fetchedValue(of property: NSFetchedPropertyDescription) -> Any {
        guard let context, let settings = property.fetchSettings else { return [NSManagedObject]() }
        _ = _loadedSlots
        if let known = context.fetchedValues[self, property.name] { return known }
        let request = NSFetchRequest<any NSFetchRequestResult>(settings)
        do {
            request.predicate = try request.predicate?.substituting(["FETCH_SOURCE": self, "FETCHED_PROPERTY": property])
            let found = try context.fetch(request)
            let value: Any = found as? [NSManagedObject] ?? found
            context.fetchedValues[self, property.name] = value
            _state.insert(.hasFetchedValues)
            return value
        } catch {
            fatalError("The fetched property “\(property.name)” of \(objectID) can't be read: \(error.localizedDescription)")
        }
    }

    /// Has fetched properties looked up anew when they are read next.
    final func forgetFetchedValues() {
        guard _state.contains(.hasFetchedValues) else { return }
        _state.remove(.hasFetchedValues)
        context?.fetchedValues.remove(self)
    }
}

/// The values of fetched properties that were read. Confined to the context's queue.
struct FetchedValues {
    private struct Entry {
        weak var owner: NSManagedObject?
        var values: [String: Any]
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var nextCleaning = 64

    subscript(_ owner: NSManagedObject, _ name: String) -> Any? {
        get {
            // An object may have got the address of one that is gone.
            guard let entry = entries[ObjectIdentifier(owner)], entry.owner === owner else { return nil }
            return entry.values[name]
        }
        set {
            let id = ObjectIdentifier(owner)
            if entries[id]?.owner !== owner { entries[id] = Entry(owner: owner, values: [:]) }
            entries[id]?.values[name] = newValue
            guard entries.count > nextCleaning else { return }
            entries = entries.filter { $0.value.owner != nil }
            nextCleaning = entries.count * 2 + 64
        }
    }

    mutating func remove(_ owner: NSManagedObject) { entries[ObjectIdentifier(owner)] = nil }
    mutating func removeAll() { entries.removeAll() }
}
