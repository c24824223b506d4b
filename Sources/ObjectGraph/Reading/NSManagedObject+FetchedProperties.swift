import DataModel
import Foundation
import Predicates
import Storage

/// Fetched properties: their value is what a fetch request finds.
extension NSManagedObject {
    final func fetchedProperty(_ key: String) -> NSFetchedPropertyDescription? {
        layout.description.propertiesByName[key] as? NSFetchedPropertyDescription
    }

    /// The result of the property's request at its first reading after the object was last refreshed.
    final func fetchedValue(of property: NSFetchedPropertyDescription) -> Any {
        guard let context, let settings = property.fetchSettings else { return [NSManagedObject]() }
        _ = _loadedSlots
        switch context.fetches.values[self, property.name] {
        case .objects(let ids): return context.objects(with: ids)
        case .others(let values): return values
        case nil: break
        }
        let request = NSFetchRequest<any NSFetchRequestResult>(settings)
        do {
            request.predicate = try request.predicate?.substituting(["FETCH_SOURCE": self, "FETCHED_PROPERTY": property])
            let found = try context.fetch(request)
            _state.insert(.hasFetchedValues)
            guard let objects = found as? [NSManagedObject] else {
                context.fetches.values[self, property.name] = .others(found)
                return found
            }
            context.fetches.values[self, property.name] = .objects(objects.map(\.objectID))
            context.reading.forget(self, property.name)
            return objects
        } catch {
            // It is read again each time, because nothing is kept.
            context.note(ReadingFailure(self, property: property.name, error)) {}
            return [NSManagedObject]()
        }
    }

    /// Has fetched properties fetched again when they are read next.
    final func forgetFetchedValues() {
        guard _state.contains(.hasFetchedValues) else { return }
        _state.remove(.hasFetchedValues)
        context?.fetches.values.remove(self)
    }
}

extension NSManagedObjectContext {
    /// The objects that were found once, in order. Objects that were not held are faults, which load together. Objects
    /// that were never saved and are gone are left out, as are objects of stores that were removed.
    fileprivate final func objects(with ids: [NSManagedObjectID]) -> [NSManagedObject] {
        let objects = ids.compactMap { id -> NSManagedObject? in
            let id = id.successor ?? id
            if let known = registeredObject(for: id) { return known }
            guard let reference = id.storeReference else { return parent == nil ? nil : object(with: id) }
            return reference.store == nil ? nil : object(with: id)
        }
        loadTogether(objects)
        return objects
    }
}

/// The values of fetched properties that were read. Confined to the context's queue.
struct FetchedValues {
    /// The result of a request.
    enum Value {
        // IDs in place of objects: objects that find each other would never be freed.
        case objects([NSManagedObjectID])
        case others([Any])
    }

    private struct Entry {
        weak var owner: NSManagedObject?
        var values: [String: Value]
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var nextCleaning = 64

    subscript(_ owner: NSManagedObject, _ name: String) -> Value? {
        get {
            // An object may have received the address of one that is gone.
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
