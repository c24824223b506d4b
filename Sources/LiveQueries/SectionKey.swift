import DataModel
import Foundation
import ObjectGraph
import Predicates
import Storage

/// The value by which a live query puts its objects into sections.
struct SectionKey {
    /// The key path, or a readable form of the Swift key path.
    let keyPath: String
    /// Reads a property that the class has and the model has not. It is nil for a key path.
    private let read: ((NSManagedObject) -> Any?)?

    init(keyPath: String) {
        self.keyPath = keyPath
        read = nil
    }

    init(computed name: String, _ read: @escaping (NSManagedObject) -> Any?) {
        keyPath = name
        self.read = read
    }

    /// The first property that the value depends on. It is nil if it is not known.
    func property(of entity: EntityLayout) -> String? {
        guard read == nil, let key = keyPath.split(separator: ".").first.map(String.init), let slot = entity.slotByName[key],
            entity.slots[slot].isPersistent
        else { return nil }
        return key
    }

    /// The name of an object's section.
    func name(of object: NSManagedObject) -> String {
        let found: Any?
        if let read {
            found = read(object)
        } else {
            found = KeyProbe.run { KeyValueWalk.value(of: object, keyPath) }.value
        }
        guard let value = Optional<Any>.flattening(found) else { return "" }
        return value as? String ?? "\(value)"
    }

    // MARK: Checking

    /// - Throws: 134060 if the key path does not lead to one value of each object.
    func check(_ entity: EntityLayout, _ runtime: ModelRuntime) throws {
        guard read == nil else { return }
        let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.count <= TreeDepth.greatestKeyCount else { throw failure(entity, "it has \(keys.count) keys") }
        var current = entity
        for (index, key) in keys.enumerated() {
            let rest = keys[index...].joined(separator: ".")
            if current.slotByName[rest].map({ current.slots[$0].attribute != nil }) == true || current.composites[rest] != nil {
                return
            }
            if let relationship = current.relationship(named: key) {
                let next = index + 1 < keys.count ? keys[index + 1] : nil
                if relationship.isToMany {
                    // An operator makes one value from all members.
                    if let next, CollectionOperator(rawValue: next) != nil { return }
                    throw failure(
                        entity, "“\(current.name).\(key)” is a to-many relationship, so there is no one value for each object")
                }
                guard next != nil else { return }
                current = runtime.layout.entities[relationship.destination]
                continue
            }
            if current.slotByName[key] != nil {
                throw failure(
                    entity,
                    "the attribute “\(current.name).\(key)” has no value for “\(keys[(index + 1)...].joined(separator: "."))”")
            }
            if NSManagedObject.objectKeys.contains(key) { return }
            guard Self.hasAnswer(for: key, current, runtime) else {
                let names = current.names(Array(current.slotByName.keys) + current.composites.keys, insteadOf: key)
                throw failure(entity, "“\(current.name)” has no property “\(key)”. \(names)")
            }
            return
        }
    }

    private func failure(_ entity: EntityLayout, _ reason: String) -> NSError {
        .coreData(
            NSCoreDataError,
            "The results of a fetch of “\(entity.name)” can't be in sections by “\(keyPath.prefix(200))”: \(reason)")
    }

    /// Whether an object of the class returns a value for the key. A new object without a context is asked.
    private static func hasAnswer(for key: String, _ entity: EntityLayout, _ runtime: ModelRuntime) -> Bool {
        let family = runtime.layout.family(of: entity.index).map { runtime.layout.entities[$0] }
        guard let concrete = family.first(where: { !$0.isAbstract }) else { return false }
        let object = runtime.classes[concrete.index].init(entity: concrete.description, insertInto: nil)
        return KeyProbe.run { object.value(forKey: key) }.isAnswered
    }
}
