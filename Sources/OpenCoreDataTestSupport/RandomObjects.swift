import DataModel
import Foundation
public import OpenCoreData
public import SeededRandom

/// Fills a context with realistic objects: they are valid and different, and the same seed gives the same objects
/// again.
///
/// ```swift
/// var random = RandomObjects(seed: 42, in: context)
/// let movies = try random.insert(100, Movie.self)
/// ```
///
/// Attributes get values within the model's limits, and sometimes extreme ones. One in four optional attributes stays
/// nil. Uniqueness constraints hold. A required relationship leads to an existing object or, one in four times, to a
/// new one. An optional relationship leads to an existing object or to none. A maker adds what the model does not say:
///
/// ```swift
/// random.make("imdbID", of: "Movie") { generator in "tt\(Int.random(in: 1_000_000...9_999_999, using: &generator))" }
/// ```
///
/// Derived and transient attributes are left alone. Use it on the context's queue.
public struct RandomObjects {
    /// Makes the value of an attribute; nil for none.
    public typealias Maker = (inout SeededGenerator) -> Any?

    private struct Place: Hashable {
        let entity: String
        let property: String
    }

    /// Required relationships that lead from one new object to the next.
    private static let greatestDepth = 32
    private static let attempts = 100

    /// The seed. Print it when a test fails, to run the same test again.
    public let seed: UInt64
    private let context: NSManagedObjectContext
    private var generator: SeededGenerator
    private var makers: [Place: Maker] = [:]
    /// The objects of root entities, in the order of their IDs, followed by new ones in the order in which they were
    /// made.
    private var pools: [String: [NSManagedObject]] = [:]
    /// The values of constraints that objects have, by the root entity's name and the properties' names.
    private var taken: [[String]: Set<[AnyHashable?]>] = [:]
    private var depth = 0

    /// Makes a source of objects.
    ///
    /// - Parameters:
    ///   - seed: determines the values.
    ///   - context: where the objects are inserted.
    public init(seed: UInt64, in context: NSManagedObjectContext) {
        self.seed = seed
        self.context = context
        generator = SeededGenerator(seed: seed)
    }

    /// Sets the maker for the values of an attribute, in place of the usual way.
    ///
    /// - Parameters:
    ///   - property: the attribute's name in the model.
    ///   - entityName: the entity that declares the attribute.
    ///   - maker: gives a value, using only the generator's numbers.
    public mutating func make(_ property: String, of entityName: String, with maker: @escaping Maker) {
        makers[Place(entity: entityName, property: property)] = maker
    }

    /// Inserts objects of a class; for an abstract entity they are of its subentities. A class that the context's model
    /// does not have stops the program, as it does when an object is made.
    ///
    /// - Returns: the objects, in the order in which they were made. Other objects that they need are inserted, too.
    /// - Throws: a ``TestSupportError`` if no valid value was found for a property, or the error of reading.
    @discardableResult
    public mutating func insert<Object: NSManagedObject>(_ count: Int, _ type: Object.Type) throws -> [Object] {
        let name = context.entityDescription(for: type).name ?? ""
        return try insert(count, entityNamed: name).map { object in
            if let object = object as? Object { return object }
            throw TestSupportError("An object of the entity “\(object.entity.name ?? "")” is not a \(type).")
        }
    }

    /// Inserts objects of an entity, by its name. See ``insert(_:_:)``.
    @discardableResult
    public mutating func insert(_ count: Int, entityNamed name: String) throws -> [NSManagedObject] {
        let entity = try context.existingEntity(named: name)
        // Others may have changed objects meanwhile.
        (pools, taken, depth) = ([:], [:], 0)
        return try (0..<max(0, count)).map { _ in try insertOne(entity) { _ in } }
    }

    // MARK: One object

    /// - Parameter prepare: sets the values that are known, before the others are made.
    private mutating func insertOne(_ entity: NSEntityDescription, _ prepare: (NSManagedObject) -> Void) throws -> NSManagedObject
    {
        guard let concrete = Self.concreteEntities(entity).randomElement(using: &generator) else {
            throw TestSupportError("The entity “\(entity.name ?? "")” is abstract and has no subentity to make objects of.")
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.greatestDepth else {
            throw TestSupportError("The required relationships of “\(entity.name ?? "")” need an endless number of objects.")
        }
        // The pool is made before the new object is in it.
        _ = try pool(concrete)
        let object = NSManagedObject(entity: concrete, insertInto: context)
        prepare(object)
        try setAttributes(of: object)
        pools[Self.root(concrete).name ?? "", default: []].append(object)
        try setRelationships(of: object)
        return object
    }

    private static func concreteEntities(_ entity: NSEntityDescription) -> [NSEntityDescription] {
        (entity.isAbstract ? [] : [entity])
            + entity.subentities.sorted { ($0.name ?? "") < ($1.name ?? "") }.flatMap(concreteEntities)
    }

    private static func root(_ entity: NSEntityDescription) -> NSEntityDescription {
        entity.superentity.map(root) ?? entity
    }

    /// The existing objects of an entity's family.
    private mutating func pool(_ entity: NSEntityDescription) throws -> [NSManagedObject] {
        let root = Self.root(entity)
        let name = root.name ?? ""
        if let pool = pools[name] { return pool.filter { !$0.isDeleted && $0.managedObjectContext != nil } }
        let pool = try context.objects(of: root)
        pools[name] = pool
        return pool
    }

    // MARK: Attributes

    private mutating func setAttributes(of object: NSManagedObject) throws {
        let attributes = object.entity.attributesByName.sorted { $0.key < $1.key }.map(\.value).filter {
            !$0.isTransient && !($0 is NSDerivedAttributeDescription)
        }
        for attribute in attributes { try setValue(of: attribute, in: object) }
        for names in Self.constraints(of: object.entity) {
            let own = attributes.filter { names.contains($0.name) }
            guard !own.isEmpty else { continue }
            let key = [Self.root(object.entity).name ?? ""] + names
            let relatives = try self.taken[key] == nil ? pool(object.entity) : []
            // Objects of other entities in the family may not have the properties.
            var taken =
                self.taken[key]
                ?? Set(relatives.filter { Self.constraints(of: $0.entity).contains(names) }.map { Self.values(names, $0) })
            var values = Self.values(names, object)
            var attempts = 0
            while taken.contains(values), !values.contains(nil) {
                attempts += 1
                guard attempts <= Self.attempts else {
                    let list = names.joined(separator: ", ")
                    throw TestSupportError(
                        "\(object.place): no free values were found for the constraint on \(list) (seed \(seed)).")
                }
                for attribute in own { try setValue(of: attribute, in: object) }
                values = Self.values(names, object)
            }
            taken.insert(values)
            self.taken[key] = taken
        }
    }

    private static func constraints(of entity: NSEntityDescription) -> [[String]] {
        entity.uniquenessConstraints.map(\.propertyNames) + (entity.superentity.map(constraints) ?? [])
    }

    private static func values(_ names: [String], _ object: NSManagedObject) -> [AnyHashable?] {
        names.map { UniqueValue.of(object.value(forKey: $0)) }
    }

    private mutating func setValue(of attribute: NSAttributeDescription, in object: NSManagedObject) throws {
        let maker = maker(of: attribute, object.entity)
        let check = TypedValueCheck(object, attribute)
        if maker == nil, attribute.isOptional, check.allowsNil, Int.random(in: 0..<4, using: &generator) == 0 {
            object.setValue(nil, forKey: attribute.name)
            return
        }
        let original = object.value(forKey: attribute.name)
        for _ in 0..<Self.attempts {
            let value: Any?
            if let maker {
                value = maker(&generator)
            } else if let cases = check.rawValues {
                value = cases.randomElement(using: &generator)
            } else {
                value = RandomValue.make(attribute, &generator)
                if value == nil { break }
            }
            guard (try? object.validate(value, attribute)) != nil else { continue }
            object.setValue(value, forKey: attribute.name)
            if check.isReadable { return }
        }
        object.setValue(original, forKey: attribute.name)
        if (try? object.validate(original, attribute)) != nil, check.isReadable { return }
        throw TestSupportError(
            "\(object.place): no valid value was found for “\(attribute.name)” (seed \(seed)). Say how one is made: make(\"\(attribute.name)\", of: \"\(attribute.entity.name ?? "")\") { … }"
        )
    }

    private func maker(of attribute: NSAttributeDescription, _ entity: NSEntityDescription) -> Maker? {
        var next: NSEntityDescription? = entity
        while let entity = next {
            if let maker = makers[Place(entity: entity.name ?? "", property: attribute.name)] { return maker }
            next = entity.superentity
        }
        return nil
    }

    // MARK: Relationships

    private mutating func setRelationships(of object: NSManagedObject) throws {
        for (_, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
            guard let destination = relationship.destinationEntity, !relationship.isTransient else { continue }
            let needed =
                relationship.isToMany
                ? (relationship.isOptional ? 0 : max(1, relationship.minCount)) : relationship.isOptional ? 0 : 1
            let present = object.destinations(relationship)
            let greatest = relationship.isToMany ? (relationship.maxCount == 0 ? Int.max : relationship.maxCount) : 1
            let wish = Int.random(in: 0...(relationship.isToMany ? 3 : 1), using: &generator)
            let count = min(greatest, max(needed, wish))
            guard present.count < count else { continue }
            var free = try pool(destination).filter { candidate in
                candidate !== object && candidate.entity.isKindOf(entity: destination) && !present.contains(candidate)
                    && Self.isFree(candidate, relationship.inverseRelationship)
            }
            var members = present
            while members.count < count {
                // One in four required destinations is new, as long as that does not lead too far.
                let wantsNew = members.count < needed && depth < 4 && Int.random(in: 0..<4, using: &generator) == 0
                if !wantsNew, let index = free.indices.randomElement(using: &generator) {
                    members.append(free.remove(at: index))
                    object.setDestinations(members, relationship)
                } else if members.count < needed {
                    let made = try insertOne(destination) { new in
                        object.setDestinations(members + [new], relationship)
                    }
                    members.append(made)
                } else {
                    break
                }
            }
        }
    }

    /// Whether an object can be a destination without being taken from another one, or having too many.
    private static func isFree(_ candidate: NSManagedObject, _ inverse: NSRelationshipDescription?) -> Bool {
        guard let inverse else { return true }
        let count = candidate.destinations(inverse).count
        return inverse.isToMany ? inverse.maxCount == 0 || count < inverse.maxCount : count == 0
    }
}

extension NSManagedObject {
    /// Asks the model and the class whether a value is valid.
    fileprivate func validate(_ value: Any?, _ attribute: NSAttributeDescription) throws {
        var value = value
        try validateValue(&value, forKey: attribute.name)
    }
}
