import DataModel
import Foundation
import Storage

/// What is in the file of an atomic store.
struct AtomicContent {
    /// With the UUID under its key.
    var metadata: [String: Any] = [:]
    /// The highest number that an object ever had.
    var highestNumber: Int64
    var objects: [AtomicObject] = []

    /// Numbers above this one are not given to objects, so that the next one can always be computed.
    static let greatestNumber: Int64 = 1 << 53
    /// What comes before the number of a store's first object, as in the files of Apple's framework.
    static let firstNumber: Int64 = 101
}

/// One object in the file of an atomic store.
struct AtomicObject {
    /// No other object of the file has it.
    let number: Int64
    let entity: EntityLayout
    /// By slot, in the classes that cache nodes have; transformable values as `StoredBytes`.
    var values: [Any?]
    /// The numbers of destinations, by the index of the relationship.
    var links: [[Int64]]

    init(number: Int64, entity: EntityLayout) {
        self.number = number
        self.entity = entity
        values = Array(repeating: nil, count: entity.slots.count)
        links = Array(repeating: [], count: entity.relationships.count)
    }

    /// The object in messages.
    var name: String { "“\(entity.name)” \(number)" }
}

extension EntityLayout {
    /// The slots whose values are in a file.
    var fileSlots: [Int] { slots.indices.filter { slots[$0].attribute != nil && slots[$0].isPersistent } }
}

extension AtomicContent {
    /// Refuses what no store can have: a number that two objects have, objects of entities that have none, and relationships
    /// that lead nowhere, to a wrong entity, or to one object twice.
    ///
    /// - Parameter holds: Whether an entity is in the store's configuration.
    func requireSound(_ model: ModelLayout, holds: (String) -> Bool) throws {
        var entities: [Int64: EntityLayout] = [:]
        entities.reserveCapacity(objects.count)
        for object in objects {
            guard !object.entity.isAbstract else { throw AtomicFailure("\(object.name) is of an abstract entity") }
            guard holds(object.entity.name) else {
                throw AtomicFailure("\(object.name) is of an entity that is not in the configuration of the store")
            }
            guard entities.updateValue(object.entity, forKey: object.number) == nil else {
                throw AtomicFailure("two objects have the number \(object.number), one of them \(object.name)")
            }
        }
        for object in objects {
            for relationship in object.entity.relationships {
                let links = object.links[relationship.index]
                func failure(_ reason: String) -> AtomicFailure {
                    AtomicFailure("“\(relationship.name)” of \(object.name) \(reason)")
                }
                guard relationship.isToMany || links.count <= 1 else {
                    throw failure("leads to \(links.count) objects, but is to-one")
                }
                guard links.count < 2 || Set(links).count == links.count else { throw failure("leads to one object twice") }
                let destination = model.entities[relationship.destination]
                for link in links {
                    guard let entity = entities[link] else {
                        throw failure("leads to an object with the number \(link), which is not in the file")
                    }
                    guard entity.isKind(of: destination, orSubentity: true) else {
                        throw failure("leads to “\(entity.name)” \(link), but must lead to objects of “\(destination.name)”")
                    }
                }
            }
        }
    }
}
