import Foundation
import Predicates

/// What differs between two models, entities or properties, as texts with a place: "Movie.title: isOptional: true, false".
///
/// It is for messages and tests. Everything that a model says counts; what only the model editor uses, and the order of entities
/// and properties, do not.
enum ModelDifference {
    static func between(_ a: NSManagedObjectModel, _ b: NSManagedObjectModel) -> [String] {
        var list = DifferenceList()
        list.compare("versionIdentifiers", a.versionIdentifiers, b.versionIdentifiers)
        list.compareNames("the entity", a.entitiesByName, b.entitiesByName) { name, a, b in between(a, b) }
        list.compareNames("the configuration", configurations(a), configurations(b)) { name, a, b in
            a == b ? [] : ["the configuration “\(name)” holds \(a.joined(separator: ", ")), \(b.joined(separator: ", "))"]
        }
        list.compareNames("the fetch request", a.fetchTemplates, b.fetchTemplates) { name, a, b in
            between(a, b).map { "the fetch request “\(name)”: \($0)" }
        }
        return list.texts
    }

    private static func configurations(_ model: NSManagedObjectModel) -> [String: [String]] {
        Dictionary(
            model.configurations.map { ($0, (model.entities(forConfigurationName: $0) ?? []).compactMap(\.name).sorted()) },
            uniquingKeysWith: { first, _ in first })
    }

    static func between(_ a: NSEntityDescription, _ b: NSEntityDescription) -> [String] {
        var list = DifferenceList()
        list.compare("managedObjectClassName", a.managedObjectClassName ?? "", b.managedObjectClassName ?? "")
        list.compare("superentity", a.superentity?.name, b.superentity?.name)
        list.compare("isAbstract", a.isAbstract, b.isAbstract)
        list.compare("renamingIdentifier", a.renamingIdentifier, b.renamingIdentifier)
        list.compare("versionHashModifier", a.versionHashModifier, b.versionHashModifier)
        list.compare("userInfo", a.userInfo, b.userInfo)
        list.compare("uniquenessConstraints", a.uniquenessConstraintNames, b.uniquenessConstraintNames)
        list.compare("indexes", a.indexes.map(text).sorted(), b.indexes.map(text).sorted())
        let name = b.name ?? ""
        let own = list.texts.map { "\(name): \($0)" }
        var properties = DifferenceList()
        let (first, second) = (byName(a.ownProperties), byName(b.ownProperties))
        properties.compareNames("the property \(name).", first, second, isQuoted: false) { _, a, b in
            between(a, b).map { "\(b.qualifiedName): \($0)" }
        }
        return own + properties.texts
    }

    private static func byName(_ properties: [NSPropertyDescription]) -> [String: NSPropertyDescription] {
        Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
    }

    private static func text(_ index: NSFetchIndexDescription) -> String {
        let elements = index.elements.map { "\($0.propertyName ?? "?") \($0.collationType) \($0.isAscending)" }
        return "\(index.name) (\(elements.joined(separator: ", "))) \(index.partialIndexPredicateString ?? "")"
    }

    static func between(_ a: NSPropertyDescription, _ b: NSPropertyDescription) -> [String] {
        var list = DifferenceList()
        list.compare("kind", "\(type(of: a))", "\(type(of: b))")
        guard list.texts.isEmpty else { return list.texts }
        list.compare("name", a.name, b.name)
        list.compare("isOptional", a.isOptional, b.isOptional)
        list.compare("isTransient", a.isTransient, b.isTransient)
        list.compare("isIndexed", a.isIndexed, b.isIndexed)
        list.compare("isIndexedBySpotlight", a.isIndexedBySpotlight, b.isIndexedBySpotlight)
        list.compare("renamingIdentifier", a.renamingIdentifier, b.renamingIdentifier)
        list.compare("versionHashModifier", a.versionHashModifier, b.versionHashModifier)
        list.compare("userInfo", a.userInfo, b.userInfo)
        list.compare("validationPredicates", validation(a), validation(b))
        if let a = a as? NSAttributeDescription, let b = b as? NSAttributeDescription { compare(a, b, &list) }
        if let a = a as? NSRelationshipDescription, let b = b as? NSRelationshipDescription {
            list.compare("destinationEntity", a.destinationEntity?.name, b.destinationEntity?.name)
            list.compare("inverseRelationship", a.inverseRelationship?.name, b.inverseRelationship?.name)
            list.compare("minCount", a.minCount, b.minCount)
            list.compare("maxCount", a.maxCount, b.maxCount)
            list.compare("deleteRule", a.deleteRule, b.deleteRule)
            list.compare("isOrdered", a.isOrdered, b.isOrdered)
        }
        if let a = a as? NSFetchedPropertyDescription, let b = b as? NSFetchedPropertyDescription {
            list.compare("fetchRequest", a.fetchSettings == nil, b.fetchSettings == nil)
            if let a = a.fetchSettings, let b = b.fetchSettings { list.texts += between(a, b).map { "fetchRequest: \($0)" } }
        }
        return list.texts
    }

    private static func validation(_ property: NSPropertyDescription) -> [String] {
        property.validationPredicates.enumerated().map { place, predicate in
            let text = (predicate as? LimitPredicate)?.text ?? PredicatePrinter.print(PredicateNode(predicate))
            return text + " → " + (place < property.validationWarnings.count ? "\(property.validationWarnings[place])" : "")
        }.sorted()
    }

    private static func compare(_ a: NSAttributeDescription, _ b: NSAttributeDescription, _ list: inout DifferenceList) {
        list.compare("type", a.type, b.type)
        list.compare("attributeValueClassName", a.attributeValueClassName, b.attributeValueClassName)
        list.compare("defaultValue", a.defaultValue.map { "\($0)" }, b.defaultValue.map { "\($0)" })
        list.compare("valueTransformerName", a.valueTransformerName, b.valueTransformerName)
        list.compare("allowsExternalBinaryDataStorage", a.allowsExternalBinaryDataStorage, b.allowsExternalBinaryDataStorage)
        list.compare(
            "preservesValueInHistoryOnDeletion", a.preservesValueInHistoryOnDeletion, b.preservesValueInHistoryOnDeletion)
        list.compare("allowsCloudEncryption", a.allowsCloudEncryption, b.allowsCloudEncryption)
        if let a = a as? NSDerivedAttributeDescription, let b = b as? NSDerivedAttributeDescription {
            list.compare("derivationExpression", a.derivationExpressionString, b.derivationExpressionString)
            list.compare("filterPredicate", text(a.filterPredicate), text(b.filterPredicate))
        }
        if let a = a as? NSCompositeAttributeDescription, let b = b as? NSCompositeAttributeDescription {
            list.compare("elements", a.elements.map(\.name), b.elements.map(\.name))
            guard a.nestingProblem == nil, b.nestingProblem == nil, a.elements.count == b.elements.count else { return }
            for (a, b) in zip(a.elements, b.elements) { list.texts += between(a, b).map { "\(b.name): \($0)" } }
        }
    }

    private static func text(_ predicate: NSPredicate?) -> String? { predicate.map { PredicatePrinter.print(PredicateNode($0)) } }

    private static func between(_ a: FetchSettings, _ b: FetchSettings) -> [String] {
        var list = DifferenceList()
        list.compare("entity", a.entityName, b.entityName)
        list.compare("predicate", text(a.predicate), text(b.predicate))
        list.compare("havingPredicate", text(a.havingPredicate), text(b.havingPredicate))
        list.compare("sortDescriptors", a.sortDescriptors ?? [], b.sortDescriptors ?? [])
        list.compare("fetchLimit", a.fetchLimit, b.fetchLimit)
        list.compare("fetchOffset", a.fetchOffset, b.fetchOffset)
        list.compare("fetchBatchSize", a.fetchBatchSize, b.fetchBatchSize)
        list.compare("resultType", a.resultType, b.resultType)
        list.compare("includesSubentities", a.includesSubentities, b.includesSubentities)
        list.compare("includesPropertyValues", a.includesPropertyValues, b.includesPropertyValues)
        list.compare("includesPendingChanges", a.includesPendingChanges, b.includesPendingChanges)
        list.compare("returnsObjectsAsFaults", a.returnsObjectsAsFaults, b.returnsObjectsAsFaults)
        list.compare("returnsDistinctResults", a.returnsDistinctResults, b.returnsDistinctResults)
        list.compare(
            "relationshipKeyPathsForPrefetching", a.relationshipKeyPathsForPrefetching ?? [],
            b.relationshipKeyPathsForPrefetching ?? [])
        return list.texts
    }
}

/// Collects differences.
private struct DifferenceList {
    var texts: [String] = []

    mutating func compare<Value: Equatable>(_ what: String, _ a: Value, _ b: Value) {
        if a != b { texts.append("\(what): \(Self.text(a)), \(Self.text(b))") }
    }

    mutating func compare(_ what: String, _ a: [AnyHashable: Any]?, _ b: [AnyHashable: Any]?) {
        let (first, second) = ((a ?? [:]).mapValues { "\($0)" }, (b ?? [:]).mapValues { "\($0)" })
        if first != second { texts.append("\(what): \(first), \(second)") }
    }

    private static func text<Value>(_ value: Value) -> String {
        if let optional = value as? (any OptionalText) { return optional.text }
        return "\(value)"
    }

    /// What only one of both has, and the differences of what both have, by name.
    mutating func compareNames<Value>(
        _ what: String, _ a: [String: Value], _ b: [String: Value], isQuoted: Bool = true,
        _ differences: (String, Value, Value) -> [String]
    ) {
        for name in Set(a.keys).union(b.keys).sorted() {
            let place = isQuoted ? "\(what) “\(name)”" : what + name
            switch (a[name], b[name]) {
            case (let a?, let b?): texts += differences(name, a, b)
            case (_?, nil): texts.append("\(place) is only in the first model")
            default: texts.append("\(place) is only in the second model")
            }
        }
    }
}

private protocol OptionalText { var text: String { get } }

extension Optional: OptionalText {
    fileprivate var text: String { map { "\($0)" } ?? "nil" }
}

extension NSManagedObjectModel {
    /// What differs between this model and another one, each with its place; empty for models that say the same.
    ///
    /// The order of entities and properties makes no difference, nor does what only the model editor uses. Not in Apple's
    /// framework.
    ///
    /// - Parameter other: The newer model. Values of this model come first in the texts.
    public final func differences(from other: NSManagedObjectModel) -> [String] { ModelDifference.between(self, other) }
}
