import Foundation
import Predicates

/// Writes a model as the text of a model file, in the layout of Apple's model editor: so what did not change stays the same line.
struct ModelXMLWriter {
    private var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    private let model: NSManagedObjectModel
    private var composites: [(name: String, elements: [NSAttributeDescription])] = []
    private var depth = 0

    /// The content of the file `contents`.
    ///
    /// - Throws: `ModelProblem` for what such a file can't hold.
    static func data(for model: NSManagedObjectModel) throws -> Data {
        var writer = ModelXMLWriter(model: model)
        try writer.write()
        return Data(writer.text.utf8)
    }

    private init(model: NSManagedObjectModel) { self.model = model }

    private mutating func write() throws {
        var values = model.editorValues
        values["type"] = "com.apple.IDECoreDataModeler.DataModel"
        if values["documentVersion"] == nil { values["documentVersion"] = "1.0" }
        values["userDefinedModelVersionIdentifier"] = model.versionIdentifiers.compactMap { $0 as? String }.min() ?? ""
        let version = values["lastSavedToolsVersion"]?.prefix { $0 != "." }
        let isOld = values["sourceLanguage"] == nil && version.flatMap { Int($0) } ?? .max < Self.firstNewEditor
        open("model", Self.sorted(values, isOld ? Self.oldModelOrder : Self.modelOrder))
        for entity in model.entities { try write(entity) }
        for (name, settings) in model.fetchTemplates.sorted(by: { $0.key < $1.key }) {
            try write(settings, name: name, path: "the fetch request “\(name)”")
        }
        for name in model.configurations {
            let members = (model.entities(forConfigurationName: name) ?? []).map { [("name", $0.name ?? "")] }
            list("configuration", [("name", name)], members.map { ("memberEntity", $0) })
        }
        try writeComposites()
        if let diagram = model.editorDiagram {
            list(
                "elements", [],
                diagram.map { ("element", Self.sorted($0, ["name", "positionX", "positionY", "width", "height"])) })
        }
        close("model")
    }

    // MARK: Elements

    private typealias Values = [(key: String, value: String)]

    private static let modelOrder = [
        "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "sourceLanguage",
        "usedWithCloudKit", "usedWithSwiftData", "userDefinedModelVersionIdentifier", "macOSVersion", "iOSVersion",
    ]

    /// The build of Xcode 8, whose editor has the attributes in another order than those before.
    private static let firstNewEditor = 11_000
    private static let oldModelOrder =
        ["name", "userDefinedModelVersionIdentifier"]
        + modelOrder.filter { !["name", "userDefinedModelVersionIdentifier"].contains($0) }

    /// Known attributes in the editor's order, then the others by name.
    private static func sorted(_ values: [String: String], _ order: [String]) -> Values {
        order.compactMap { key in values[key].map { (key, $0) } }
            + values.filter { !order.contains($0.key) && $0.key != ModelXMLNode.emptyUserInfo }.sorted { $0.key < $1.key }.map {
                ($0.key, $0.value)
            }
    }

    private mutating func tag(_ name: String, _ values: Values, end: String) {
        text += String(repeating: "    ", count: depth) + "<" + name
        for (key, value) in values { text += " \(key)=\"\(Self.escaped(value))\"" }
        text += end + "\n"
    }

    private mutating func open(_ name: String, _ values: Values) {
        tag(name, values, end: ">")
        depth += 1
    }

    private mutating func close(_ name: String) {
        depth -= 1
        text += String(repeating: "    ", count: depth) + "</\(name)>\n"
    }

    private mutating func list(_ name: String, _ values: Values, _ children: [(String, Values)]) {
        guard !children.isEmpty else { return tag(name, values, end: "/>") }
        open(name, values)
        for child in children { tag(child.0, child.1, end: "/>") }
        close(name)
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // A reader takes them for spaces otherwise.
            case "\n", "\r", "\t": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Control characters have no form in XML.
    private static func require(_ text: String, _ path: String) throws -> String {
        let isBad = text.unicodeScalars.contains { scalar in
            scalar.value < 0x20 && !["\n", "\r", "\t"].contains(scalar) || scalar.value == 0xfffe || scalar.value == 0xffff
        }
        guard !isBad else { throw ModelProblem("\(path): a text has a character that XML does not have") }
        return text
    }

    // MARK: Entities

    private mutating func write(_ entity: NSEntityDescription) throws {
        let name = try Self.require(entity.name ?? "", "an entity's name")
        var values = entity.editorValues ?? [:]
        values["name"] = name
        // No class at all and an empty one mean the same as this.
        if let className = entity.managedObjectClassName, className != "NSManagedObject" {
            values["representedClassName"] = try Self.require(className, name)
        } else if values["representedClassName"]?.isEmpty == false {
            values["representedClassName"] = "NSManagedObject"
        }
        if entity.isAbstract { values["isAbstract"] = "YES" }
        if let parent = entity.superentity?.name { values["parentEntity"] = parent }
        if let identifier = entity.renamingIdentifier, identifier != name { values["elementID"] = identifier }
        values["versionHashModifier"] = entity.versionHashModifier
        let attributes = Self.sorted(
            values,
            [
                "name", "representedClassName", "isAbstract", "parentEntity", "elementID", "syncable", "versionHashModifier",
                "codeGenerationType",
            ])
        let children = entity.ownProperties
        let indexes = entity.indexes.filter { !$0.isCompoundIndex }
        let compounds = entity.indexes.filter(\.isCompoundIndex)
        let constraints = entity.uniquenessConstraintNames
        let userInfo = entity.userInfo ?? [:]
        let hasUserInfo = !userInfo.isEmpty || values[ModelXMLNode.emptyUserInfo] != nil
        guard
            !children.isEmpty || !indexes.isEmpty || !compounds.isEmpty || !constraints.isEmpty || hasUserInfo
        else { return tag("entity", attributes, end: "/>") }
        open("entity", attributes)
        // The editor writes attributes first; the order within a kind is the model's.
        for case let attribute as NSAttributeDescription in children { try write(attribute) }
        for case let relationship as NSRelationshipDescription in children { try write(relationship) }
        for case let property as NSFetchedPropertyDescription in children { try write(property) }
        for index in indexes { write(index) }
        if !compounds.isEmpty {
            open("compoundIndexes", [])
            for index in compounds {
                list("compoundIndex", [], index.elements.map { ("index", [("value", $0.propertyName ?? "")]) })
            }
            close("compoundIndexes")
        }
        if !constraints.isEmpty {
            open("uniquenessConstraints", [])
            for group in constraints { list("uniquenessConstraint", [], group.map { ("constraint", [("value", $0)]) }) }
            close("uniquenessConstraints")
        }
        try write(userInfo: userInfo, hasElement: hasUserInfo, path: name)
        close("entity")
    }

    private mutating func write(_ index: NSFetchIndexDescription) {
        var values: Values = [("name", index.name)]
        if let predicate = index.partialIndexPredicateString { values.append(("partialIndexPredicate", predicate)) }
        list(
            "fetchIndex", values,
            index.elements.map { element in
                (
                    "fetchIndexElement",
                    [
                        ("property", element.propertyName ?? ""), ("type", element.collationType == .rTree ? "RTree" : "Binary"),
                        ("order", element.isAscending ? "ascending" : "descending"),
                    ]
                )
            })
    }

    private mutating func write(userInfo: [AnyHashable: Any], hasElement: Bool, path: String) throws {
        guard hasElement || !userInfo.isEmpty else { return }
        let entries = try userInfo.map { key, value in
            guard let key = key as? String, let value = value as? String else {
                throw ModelProblem("\(path): its user info has something else than texts, which a model file can't hold")
            }
            return (key: try Self.require(key, path), value: try Self.require(value, path))
        }
        list("userInfo", [], entries.sorted { $0.key < $1.key }.map { ("entry", [("key", $0.key), ("value", $0.value)]) })
    }

    // MARK: Properties

    private static let attributeOrder = [
        "name", "optional", "transient", "attributeType", "allowsExternalBinaryDataStorage", "allowsCloudEncryption", "composite",
        "defaultDateTimeInterval", "derived", "derivationExpression", "minDateTimeInterval", "minValueString",
        "maxDateTimeInterval", "maxValueString", "defaultValueString", "regularExpressionString", "storedInTruthFile",
        "spotlightIndexingEnabled", "usesScalarValueType", "indexed", "elementID", "preserveAfterDeletion",
        "valueTransformerName", "customClassName", "syncable", "versionHashModifier",
    ]

    private func commonValues(_ property: NSPropertyDescription) throws -> [String: String] {
        var values = property.editorValues ?? [:]
        values["name"] = try Self.require(property.name, "a property's name")
        if property.isOptional { values["optional"] = "YES" }
        if property.isTransient { values["transient"] = "YES" }
        if property.isIndexed { values["indexed"] = "YES" }
        if property.isIndexedBySpotlight { values["spotlightIndexingEnabled"] = "YES" }
        if let identifier = property.renamingIdentifier, identifier != property.name { values["elementID"] = identifier }
        values["versionHashModifier"] = property.versionHashModifier
        return values
    }

    private mutating func element(_ name: String, _ values: Values, _ property: NSPropertyDescription) throws {
        let userInfo = property.userInfo ?? [:]
        let hasElement = !userInfo.isEmpty || property.editorValues?[ModelXMLNode.emptyUserInfo] != nil
        guard hasElement else { return tag(name, values, end: "/>") }
        open(name, values)
        try write(userInfo: userInfo, hasElement: hasElement, path: property.qualifiedName)
        close(name)
    }

    private mutating func write(_ attribute: NSAttributeDescription) throws {
        let path = attribute.qualifiedName
        var values = try commonValues(attribute)
        values["attributeType"] = attribute.type.modelFileName
        try AttributeTexts(attribute, path: path).add(to: &values)
        if attribute.allowsExternalBinaryDataStorage { values["allowsExternalBinaryDataStorage"] = "YES" }
        if attribute.allowsCloudEncryption { values["allowsCloudEncryption"] = "YES" }
        if attribute.preservesValueInHistoryOnDeletion { values["preserveAfterDeletion"] = "YES" }
        // An empty name of the file means none.
        if let name = attribute.valueTransformerName {
            values["valueTransformerName"] = name
        } else if values["valueTransformerName"]?.isEmpty == false {
            values["valueTransformerName"] = nil
        }
        if let derived = attribute as? NSDerivedAttributeDescription {
            guard derived.filterPredicate == nil else {
                throw ModelProblem("\(path): it has a filter predicate, which a model file can't hold")
            }
            values["derived"] = "YES"
            values["derivationExpression"] = derived.derivationExpressionString
        }
        if let composite = attribute as? NSCompositeAttributeDescription {
            values["composite"] = register(composite, name: values["composite"])
        }
        for (key, value) in values { values[key] = try Self.require(value, path) }
        try element("attribute", Self.sorted(values, Self.attributeOrder), attribute)
    }

    private mutating func write(_ relationship: NSRelationshipDescription) throws {
        var values = try commonValues(relationship)
        if relationship.isToMany { values["toMany"] = "YES" }
        if relationship.minCount != 0 { values["minCount"] = "\(relationship.minCount)" }
        if relationship.maxCount != 0 { values["maxCount"] = "\(relationship.maxCount)" }
        values["deletionRule"] =
            switch relationship.deleteRule {
            case .noActionDeleteRule: "No Action"
            case .nullifyDeleteRule: "Nullify"
            case .cascadeDeleteRule: "Cascade"
            case .denyDeleteRule: "Deny"
            }
        if relationship.isOrdered { values["ordered"] = "YES" }
        values["destinationEntity"] = relationship.destinationEntity?.name
        if let inverse = relationship.inverseRelationship {
            values["inverseName"] = inverse.name
            // The editor names the destination, also where the inverse is inherited.
            values["inverseEntity"] = relationship.destinationEntity?.name
        }
        let order = [
            "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered", "destinationEntity",
            "inverseName", "inverseEntity", "spotlightIndexingEnabled", "elementID", "indexed", "syncable", "versionHashModifier",
        ]
        try element("relationship", Self.sorted(values, order), relationship)
    }

    private mutating func write(_ property: NSFetchedPropertyDescription) throws {
        var values = try commonValues(property)
        values["transient"] = nil
        open("fetchedProperty", Self.sorted(values, ["name", "optional"]))
        if let settings = property.fetchSettings {
            try write(settings, name: "fetchedPropertyFetchRequest", path: property.qualifiedName)
        }
        let hasUserInfo = property.editorValues?[ModelXMLNode.emptyUserInfo] != nil
        try write(userInfo: property.userInfo ?? [:], hasElement: hasUserInfo, path: property.qualifiedName)
        close("fetchedProperty")
    }

    // MARK: Fetch requests

    private mutating func write(_ settings: FetchSettings, name: String, path: String) throws {
        let hasMore =
            settings.sortDescriptors?.isEmpty == false || settings.fetchOffset != 0 || settings.havingPredicate != nil
            || settings.propertiesToFetch?.isEmpty == false || settings.propertiesToGroupBy?.isEmpty == false
            || settings.relationshipKeyPathsForPrefetching?.isEmpty == false
        guard !hasMore else {
            throw ModelProblem("\(path): it sorts, groups, prefetches or has an offset, which a model file can't hold")
        }
        var values: Values = [("name", try Self.require(name, path)), ("entity", settings.entityName ?? "")]
        if let predicate = settings.predicate {
            let node = PredicateNode(predicate)
            guard !node.hasClosures else { throw ModelProblem("\(path): its predicate is a closure") }
            let printed = PredicatePrinter.print(node)
            values.append(("predicateString", try Self.require(model.editorPredicates[printed] ?? printed, path)))
        }
        if settings.fetchLimit != 0 { values.append(("fetchLimit", "\(settings.fetchLimit)")) }
        if settings.fetchBatchSize != 0 { values.append(("fetchBatchSize", "\(settings.fetchBatchSize)")) }
        func flag(_ key: String, _ value: Bool, usually: Bool) {
            if value != usually { values.append((key, value ? "YES" : "NO")) }
        }
        flag("includeSubentities", settings.includesSubentities, usually: true)
        flag("includePropertyValues", settings.includesPropertyValues, usually: settings.resultType != 1)
        flag("includesPendingChanges", settings.includesPendingChanges, usually: settings.resultType != 2)
        if settings.resultType != 0 { values.append(("resultType", "\(settings.resultType)")) }
        flag("returnObjectsAsFaults", settings.returnsObjectsAsFaults, usually: true)
        flag("returnDistinctResults", settings.returnsDistinctResults, usually: false)
        tag("fetchRequest", values, end: "/>")
    }

    // MARK: Composites

    /// The name under which a composite's elements stand in the file: its own where that is free or means the same.
    private mutating func register(_ composite: NSCompositeAttributeDescription, name: String?) -> String {
        let elements = composite.elements
        let wanted = name ?? composite.name.prefix(1).uppercased() + composite.name.dropFirst()
        var number = 1
        while true {
            let candidate = number == 1 ? wanted : "\(wanted)\(number)"
            guard let known = composites.first(where: { $0.name == candidate }) else {
                composites.append((candidate, elements))
                return candidate
            }
            if Self.areSame(known.elements, elements) { return candidate }
            number += 1
        }
    }

    private static func areSame(_ a: [NSAttributeDescription], _ b: [NSAttributeDescription]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0 === $1 || ModelDifference.between($0, $1).isEmpty }
    }

    private mutating func writeComposites() throws {
        // Elements may add others.
        var place = 0
        while place < composites.count {
            let (name, elements) = composites[place]
            place += 1
            guard !elements.isEmpty else {
                tag("composite", [("name", name)], end: "/>")
                continue
            }
            open("composite", [("name", name)])
            for element in elements { try write(element) }
            close("composite")
        }
    }
}
