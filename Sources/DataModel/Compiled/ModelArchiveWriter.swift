import Foundation
import FoundationGaps
import Predicates

/// Writes a model as a keyed archive, as Apple's model compiler does.
struct ModelArchiveWriter {
    private var archive = KeyedArchiveWriter()
    private let model: NSManagedObjectModel
    private var entities: [ObjectIdentifier: Int] = [:]
    private var properties: [ObjectIdentifier: Int] = [:]
    private var modelNumber = 0
    /// The class of user info that says nothing; Apple's archives have one object for all.
    private var emptyDictionary: Int?

    /// The bytes of a `.mom` file.
    ///
    /// - Throws: `ModelProblem` for what an archive can't hold.
    static func data(for model: NSManagedObjectModel) throws -> Data {
        var writer = ModelArchiveWriter(model: model)
        return try writer.write()
    }

    private init(model: NSManagedObjectModel) { self.model = model }

    private mutating func write() throws -> Data {
        modelNumber = archive.reserve()
        for entity in model.entities {
            entities[ObjectIdentifier(entity)] = archive.reserve()
            for property in entity.ownProperties { properties[ObjectIdentifier(property)] = archive.reserve() }
        }
        for entity in model.entities { try write(entity) }
        let named = model.entities.map { ($0.name ?? "", number(of: $0)) }
        let identifiers = model.versionIdentifiers.compactMap { $0 as? String }.sorted().map { archive.add($0) }
        var members: [(String, KeyedArchiveWriter.Member)] = [
            ("NSVersionIdentifiers", .object(archive.add(["NSSet"], [("NS.objects", .objects(identifiers))]))),
            ("NSEntities", .object(dictionary(named))),
        ]
        let configurations = model.configurations.map { name in
            let numbers = (model.entities(forConfigurationName: name) ?? []).map(number)
            return (name, archive.add(["NSSet"], [("NS.objects", .objects(numbers))]))
        }
        if !configurations.isEmpty { members.append(("NSConfigurations", .object(dictionary(configurations)))) }
        var templates: [(String, Int)] = []
        for (name, settings) in model.fetchTemplates.sorted(by: { $0.key < $1.key }) {
            templates.append((name, try locating("the fetch request “\(name)”") { try $0.add(settings) }))
        }
        members.append(
            ("NSFetchRequestTemplates", .object(templates.isEmpty ? KeyedArchiveWriter.null : dictionary(templates))))
        archive.fill(modelNumber, ["NSManagedObjectModel"], members)
        return archive.data(root: modelNumber)
    }

    private func number(of entity: NSEntityDescription) -> Int { entities[ObjectIdentifier(entity)] ?? KeyedArchiveWriter.null }

    private func number(of property: NSPropertyDescription) -> Int {
        properties[ObjectIdentifier(property)] ?? KeyedArchiveWriter.null
    }

    /// Names the place of a problem.
    private mutating func locating<Result>(
        _ path: String, _ body: (inout ModelArchiveWriter) throws -> Result
    ) throws -> Result {
        do { return try body(&self) } catch let problem as ModelProblem { throw ModelProblem("\(path): \(problem.text)") }
    }

    // MARK: Values

    private mutating func dictionary(_ pairs: [(String, Int)]) -> Int {
        let keys = pairs.map { archive.add($0.0) }
        return archive.add(
            ["NSMutableDictionary", "NSDictionary"], [("NS.keys", .objects(keys)), ("NS.objects", .objects(pairs.map(\.1)))])
    }

    private mutating func array(_ numbers: [Int]) -> Int {
        archive.add(["NSMutableArray", "NSArray"], [("NS.objects", .objects(numbers))])
    }

    private mutating func text(_ text: String?) -> KeyedArchiveWriter.Member {
        .object(text.map { archive.addText($0) } ?? KeyedArchiveWriter.null)
    }

    private mutating func userInfo(_ userInfo: [AnyHashable: Any]?) throws -> Int {
        guard let userInfo, !userInfo.isEmpty else {
            if let emptyDictionary { return emptyDictionary }
            let number = archive.add(["NSDictionary"], [("NS.keys", .objects([])), ("NS.objects", .objects([]))])
            emptyDictionary = number
            return number
        }
        let entries = try userInfo.map { key, value in
            guard let key = key as? String else { throw ModelProblem("a key of its user info is not a text") }
            return (key: key, value: value)
        }
        let pairs = try entries.sorted { $0.key < $1.key }.map { entry in
            (entry.key, try archive.addValue(entry.value, what: "the value “\(entry.key)” of its user info"))
        }
        let keys = pairs.map { archive.addText($0.0) }
        return archive.add(["NSDictionary"], [("NS.keys", .objects(keys)), ("NS.objects", .objects(pairs.map(\.1)))])
    }

    // MARK: Entities

    private mutating func write(_ entity: NSEntityDescription) throws {
        for property in entity.ownProperties {
            try locating(property.qualifiedName) { try $0.write(property, as: $0.number(of: property)) }
        }
        let name = entity.name ?? ""
        let subentities = entity.subentities.map { ($0.name ?? "", number(of: $0)) }
        var members: [(String, KeyedArchiveWriter.Member)] = [
            ("NSEntityName", text(name)), ("NSClassNameForEntity", text(entity.managedObjectClassName ?? "NSManagedObject")),
            ("NSRenamingIdentifier", text(entity.renamingIdentifier ?? name)),
            ("NSVersionHashModifier", text(entity.versionHashModifier)),
            ("NSManagedObjectModel", .object(modelNumber)),
            ("NSSuperentity", .object(entity.superentity.map(number) ?? KeyedArchiveWriter.null)),
            ("NSSubentities", .object(dictionary(subentities))),
            ("NSUserInfo", .object(try locating(name) { try $0.userInfo(entity.userInfo) })),
            ("NSProperties", .object(dictionary(entity.ownProperties.map { ($0.name, number(of: $0)) }))),
        ]
        if entity.isAbstract { members.append(("NSIsAbstract", .bool(true))) }
        let constraints = entity.uniquenessConstraintNames.map { names in array(names.map { archive.addText($0) }) }
        if !constraints.isEmpty { members.append(("NSUniqueTuples", .object(array(constraints)))) }
        try addIndexes(of: entity, to: &members)
        archive.fill(number(of: entity), ["NSEntityDescription"], members)
    }

    /// Indexes over several properties also stand in the older form.
    private mutating func addIndexes(
        of entity: NSEntityDescription, to members: inout [(String, KeyedArchiveWriter.Member)]
    ) throws {
        var numbers: [Int] = []
        for index in entity.indexes where !index.isCompoundIndex {
            numbers.append(
                try locating("\(entity.name ?? ""): the fetch index “\(index.name)”") { try $0.add(index, of: entity) })
        }
        if !numbers.isEmpty { members.append(("NSFetchIndexDescriptions", .object(array(numbers)))) }
        let compounds = entity.indexes.filter { $0.isCompoundIndex || $0.elements.count > 1 }.map { index in
            array(index.elements.compactMap(\.propertyName).map { archive.addText($0) })
        }
        if !numbers.isEmpty || !compounds.isEmpty { members.append(("NSCompoundIndexes", .object(array(compounds)))) }
    }

    private mutating func add(_ index: NSFetchIndexDescription, of entity: NSEntityDescription) throws -> Int {
        let number = archive.reserve()
        let elements = index.elements.map { element in
            archive.add(
                ["NSFetchIndexElementDescription"],
                [
                    ("NSPropertyName", text(element.propertyName)),
                    ("NSFetchIndexElementType", .integer(Int(element.collationType.rawValue))),
                    ("NSFetchIndexDescription", .object(number)), ("NSAscending", .bool(element.isAscending)),
                ])
        }
        var predicate = KeyedArchiveWriter.null
        if let text = index.partialIndexPredicateString {
            predicate = try archive.add(ArchivedText.predicate(text))
        }
        archive.fill(
            number, ["NSFetchIndexDescription"],
            [
                ("NSIndexName", text(index.name)), ("NSPartialIndexPredicate", .object(predicate)),
                ("NSIndexElements", .object(archive.add(["NSArray"], [("NS.objects", .objects(elements))]))),
                ("NSEntity", .object(self.number(of: entity))),
            ])
        return number
    }

    // MARK: Properties

    private mutating func write(_ property: NSPropertyDescription, as number: Int) throws {
        var members = try commonMembers(property)
        switch property {
        case let relationship as NSRelationshipDescription:
            try add(relationship, to: &members)
            archive.fill(number, ["NSRelationshipDescription", "NSPropertyDescription"], members)
        case let fetched as NSFetchedPropertyDescription:
            let settings = fetched.fetchSettings
            members.append(("_NSFetchRequestEntityName", text(settings?.entityName)))
            let request = try settings.map { try locating("its fetch request") { [settings = $0] in try $0.add(settings) } }
            members.append(("NSFetchRequest", .object(request ?? KeyedArchiveWriter.null)))
            archive.fill(number, ["NSFetchedPropertyDescription", "NSPropertyDescription"], members)
        case let attribute as NSAttributeDescription: try write(attribute, members, as: number)
        default: throw ModelProblem("a property of the class \(type(of: property)) can't be in a model file")
        }
    }

    private mutating func commonMembers(_ property: NSPropertyDescription) throws -> [(String, KeyedArchiveWriter.Member)] {
        let isReadOnly = property is NSFetchedPropertyDescription || property is NSDerivedAttributeDescription
        let isOrdered = (property as? NSRelationshipDescription)?.isOrdered ?? false
        let hasUserInfo = property.userInfo?.isEmpty == false
        var bits = 0b1011_0001
        if property.isOptional { bits |= 1 << 1 }
        if isReadOnly { bits |= 1 << 2 }
        if property.isTransient { bits |= 1 << 3 }
        if !hasUserInfo { bits |= 1 << 6 }
        if isOrdered { bits |= 1 << 10 }
        var members: [(String, KeyedArchiveWriter.Member)] = [
            ("_P", .integer(bits)), ("NSPropertyName", text(property.name)),
            ("NSEntity", .object(property.owningEntity.map(number) ?? KeyedArchiveWriter.null)),
            ("NSRenamingIdentifier", text(property.renamingIdentifier ?? property.name)),
        ]
        if property.isOptional { members.append(("NSIsOptional", .bool(true))) }
        if property.isTransient { members.append(("NSIsTransient", .bool(true))) }
        if property.isIndexed { members.append(("NSIsIndexed", .bool(true))) }
        if isReadOnly { members.append(("NSIsReadOnly", .bool(true))) }
        if property.isIndexedBySpotlight { members.append((ModelArchiveKeys.isIndexedBySpotlight, .bool(true))) }
        if let modifier = property.versionHashModifier { members.append(("NSVersionHashModifier", text(modifier))) }
        if hasUserInfo { members.append(("NSUserInfo", .object(try userInfo(property.userInfo)))) }
        return members
    }

    private mutating func add(
        _ relationship: NSRelationshipDescription, to members: inout [(String, KeyedArchiveWriter.Member)]
    ) throws {
        let inverse = relationship.inverseRelationship
        members += [
            ("NSDestinationEntity", .object(relationship.destinationEntity.map(number) ?? KeyedArchiveWriter.null)),
            ("_NSDestinationEntityName", text(relationship.destinationEntity?.name)),
            ("NSInverseRelationship", .object(inverse.map(number) ?? KeyedArchiveWriter.null)),
            ("_NSInverseRelationshipName", text(inverse?.name)),
            ("NSDeleteRule", .integer(Int(relationship.deleteRule.rawValue))), ("NSMinCount", .integer(relationship.minCount)),
            ("NSMaxCount", .integer(relationship.maxCount)),
        ]
        if relationship.isOrdered { members.append(("NSIsOrdered", .bool(true))) }
    }

    private mutating func write(
        _ attribute: NSAttributeDescription, _ common: [(String, KeyedArchiveWriter.Member)], as number: Int
    ) throws {
        var members = common
        var flags = 0
        if attribute.allowsExternalBinaryDataStorage { flags |= ArchivedAttributeFlags.externalStorage }
        if attribute.preservesValueInHistoryOnDeletion { flags |= ArchivedAttributeFlags.preservesValueOnDeletion }
        members += [
            ("NSAttributeType", .integer(Int(attribute.type.rawValue))), ("NSFlagsKey", .integer(flags)),
            ("NSAttributeValueClassName", text(attribute.attributeValueClassName)),
            ("NSValueTransformerName", text(attribute.valueTransformerName)),
            ("NSDefaultValue", .object(try archive.addValue(attribute.defaultValue, of: attribute.type))),
        ]
        if attribute.allowsCloudEncryption { members.append((ModelArchiveKeys.allowsCloudEncryption, .bool(true))) }
        try addValidation(of: attribute, to: &members)
        let base = ["NSAttributeDescription", "NSPropertyDescription"]
        switch attribute {
        case let derived as NSDerivedAttributeDescription:
            let expression = try derived.derivationExpressionString.map { try archive.add(ArchivedText.derivation($0)) }
            let filter = try derived.filterPredicate.map { try archive.add(PredicateNode($0)) }
            members.append(("NSDerivationExpression", .object(expression ?? KeyedArchiveWriter.null)))
            // The text is part of this package's version hash.
            if let text = derived.derivationExpressionString { members.append((ModelArchiveKeys.derivation, .text(text))) }
            members.append(("NSFilteringPredicate", .object(filter ?? KeyedArchiveWriter.null)))
            archive.fill(number, ["NSDerivedAttributeDescription"] + base, members)
        case let composite as NSCompositeAttributeDescription:
            var elements: [Int] = []
            for element in composite.elements {
                let place = archive.reserve()
                try locating(element.name) { try $0.write(element, as: place) }
                elements.append(place)
            }
            members.append(("NSCompositeElements", .object(array(elements))))
            archive.fill(number, ["NSCompositeAttributeDescription"] + base, members)
        default: archive.fill(number, base, members)
        }
    }

    private mutating func addValidation(
        of attribute: NSAttributeDescription, to members: inout [(String, KeyedArchiveWriter.Member)]
    ) throws {
        guard !attribute.validationPredicates.isEmpty else { return }
        var predicates: [Int] = []
        var warnings: [Int] = []
        for (place, predicate) in attribute.validationPredicates.enumerated() {
            let limit = predicate as? LimitPredicate
            predicates.append(try archive.add(limit?.node(for: attribute.type) ?? PredicateNode(predicate)))
            let warning = place < attribute.validationWarnings.count ? attribute.validationWarnings[place] : ""
            warnings.append(try archive.addValue(warning, what: "a validation warning"))
        }
        members.append(("NSValidationPredicates", .object(array(predicates))))
        members.append(("NSValidationWarnings", .object(array(warnings))))
    }

    // MARK: Fetch requests

    private mutating func add(_ settings: FetchSettings) throws -> Int {
        var flags = 0
        if settings.returnsDistinctResults { flags |= ArchivedRequestFlags.distinctResults }
        if settings.includesSubentities { flags |= ArchivedRequestFlags.subentities }
        if settings.includesPropertyValues { flags |= ArchivedRequestFlags.propertyValues }
        if settings.returnsObjectsAsFaults { flags |= ArchivedRequestFlags.faults }
        if settings.includesPendingChanges { flags |= ArchivedRequestFlags.pendingChanges }
        let entity = settings.entity ?? settings.entityName.flatMap { model.entitiesByName[$0] }
        let predicate = try settings.predicate.map { try archive.add(PredicateNode($0)) }
        let having = try settings.havingPredicate.map { try archive.add(PredicateNode($0)) }
        var sorts: [Int]?
        if let descriptors = settings.sortDescriptors { sorts = try descriptors.map { try add($0) } }
        let prefetching = settings.relationshipKeyPathsForPrefetching?.map { archive.addText($0) }
        var members: [(String, KeyedArchiveWriter.Member)] = [
            ("NSEntity", .object(entity.map(number) ?? KeyedArchiveWriter.null)),
            ("NSPredicate", .object(predicate ?? KeyedArchiveWriter.null)),
            ("NSSortDescriptors", .object(list(sorts))), ("NSFetchLimit", .integer(settings.fetchLimit)),
            ("NSFetchOffset", .integer(settings.fetchOffset)), ("NSBatchSize", .integer(settings.fetchBatchSize)),
            ("NSResultType", .integer(Int(clamping: settings.resultType))),
            ("NSRelationshipKeyPathsForPrefetching", .object(list(prefetching))),
            ("NSValuesToFetch", .object(list(try names(settings.propertiesToFetch)))),
            ("NSValuesToGroupBy", .object(list(try names(settings.propertiesToGroupBy)))),
            ("NSHavingPredicate", .object(having ?? KeyedArchiveWriter.null)), ("NSAllocationType", .integer(0)),
            ("NSHasFetchRequestFlags", .bool(true)), ("NSFetchRequestFlags", .integer(flags)),
        ]
        if entity == nil { members.append(("_NSFetchRequestEntityName", text(settings.entityName))) }
        return archive.add(["NSFetchRequest", "NSPersistentStoreRequest"], members)
    }

    private mutating func list(_ numbers: [Int]?) -> Int {
        numbers.map { archive.add(["NSArray"], [("NS.objects", .objects($0))]) } ?? KeyedArchiveWriter.null
    }

    private mutating func add(_ descriptor: NSSortDescriptor) throws -> Int {
        guard let key = descriptor.key, let selector = descriptor.selector else {
            throw ModelProblem("a sort descriptor without key, or with a comparator, can't be in a model file")
        }
        return archive.add(
            ["NSSortDescriptor"],
            [
                ("NSKey", text(key)), ("NSAscending", .bool(descriptor.ascending)), ("NSSelector", text(selector.description)),
                ("NSReverseNullOrder", .bool(false)),
            ])
    }

    private mutating func names(_ values: [Any]?) throws -> [Int]? {
        guard let values else { return nil }
        var numbers: [Int] = []
        for value in values {
            if let name = value as? String {
                numbers.append(archive.addText(name))
            } else if let property = value as? NSPropertyDescription, !(property is NSExpressionDescription) {
                numbers.append(archive.addText(property.name))
            } else {
                throw ModelProblem("an expression among the values that it fetches can't be in a model file")
            }
        }
        return numbers
    }
}
