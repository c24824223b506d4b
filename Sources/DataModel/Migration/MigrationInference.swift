import Foundation
import Predicates

/// Finds out what a migration from one model to another has to do, and what it can't do by itself.
package struct MigrationInference {
    package let match: ModelMatch
    package private(set) var changes: [MigrationPlan.Change] = []

    package init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
        match = ModelMatch(from: source, to: destination)
        for entity in destination.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) { compare(entity) }
        for entity in match.removedEntities {
            changes.append(
                .init(
                    .removed, entity.name ?? "", nil, "is not in the newer model", action: "its objects are deleted",
                    advice: similarEntity(to: entity)))
        }
    }

    /// The texts of what can't be inferred; empty if everything can.
    package var obstacles: [MigrationPlan.Change] { changes.filter { $0.obstacle != nil } }

    /// The difference of a new uniqueness constraint.
    package static func uniqueness(_ names: [String]) -> String { "is unique by \(names.joined(separator: ", ")) now" }

    // MARK: Entities

    private mutating func compare(_ entity: NSEntityDescription) {
        let name = entity.name ?? ""
        requireOneFamily(entity)
        guard let pair = match.entities[name], let source = pair.source else {
            changes.append(.init(.added, name, nil, "is new", action: "an empty table or place for it is made"))
            return
        }
        if source.name != name {
            changes.append(
                .init(.renamed, name, nil, "was called “\(source.name ?? "")”", action: "its objects take the new name"))
        }
        let parent = source.superentity.flatMap { match.destinations[$0.name ?? ""] }
        if parent !== entity.superentity || parent == nil && source.superentity != nil {
            let (before, now) = (source.superentity?.name, entity.superentity?.name)
            changes.append(
                .init(
                    .moved, name, nil,
                    "inherits from \(now.map { "“\($0)”" } ?? "no entity") now, and from "
                        + "\(before.map { "“\($0)”" } ?? "none") before", action: "its objects go to the table of its family"))
        }
        if entity.isAbstract, !source.isAbstract {
            changes.append(.init(.changed, name, nil, "is abstract now", action: "it must have no objects"))
        }
        for names in entity.uniquenessConstraintNames where !names.isEmpty {
            let older = names.compactMap { pair.properties[$0]?.name }
            if older.count == names.count, source.uniquenessConstraintNames.contains(older) { continue }
            changes.append(
                .init(
                    .changed, name, nil, Self.uniqueness(names),
                    action: "a unique index is made if no two objects have the same values"))
        }
        for property in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
            switch property {
            case let attribute as NSAttributeDescription where attribute.isStored: compare(attribute, pair)
            case let relationship as NSRelationshipDescription where !relationship.isTransient: compare(relationship, pair)
            default: break
            }
        }
        compareRemoved(pair, source)
    }

    /// Entities that had no common parent can't have one: their objects may have the same keys.
    private mutating func requireOneFamily(_ entity: NSEntityDescription) {
        guard entity.superentity == nil else { return }
        let roots = Set(entity.family.compactMap { match.source(of: $0)?.root.name }).sorted()
        guard roots.count > 1 else { return }
        changes.append(
            .init(
                .moved, entity.name ?? "", nil, "and its subentities were in different families before",
                obstacle:
                    "\(roots.map { "“\($0)”" }.joined(separator: " and ")) had no common parent, so their objects have keys "
                    + "of different tables",
                advice: "Migrate with a mapping model, or in a custom stage that makes new objects"))
    }

    private mutating func compareRemoved(_ pair: ModelMatch.Entity, _ source: NSEntityDescription) {
        let kept = Set(pair.properties.values.map(ObjectIdentifier.init))
        let parentPair = pair.destination.superentity.flatMap { match.entities[$0.name ?? ""] }
        for property in source.properties.sorted(by: { $0.name < $1.name }) where Self.isStored(property) {
            guard !kept.contains(ObjectIdentifier(property)) else { continue }
            // What the parent has lost, too, is told there.
            if property.owningEntity !== source, let other = parentPair?.source,
                other.properties.contains(where: { $0 === property })
            {
                continue
            }
            changes.append(
                .init(
                    .removed, source.name ?? "", property.name, "is not in the newer model", action: "its values are dropped",
                    advice: similarProperty(to: property, pair)))
        }
    }

    private static func isStored(_ property: NSPropertyDescription) -> Bool {
        switch property {
        case let attribute as NSAttributeDescription: attribute.isStored
        case let relationship as NSRelationshipDescription: !relationship.isTransient
        default: false
        }
    }

    // MARK: Properties

    private mutating func add(
        _ kind: MigrationPlan.Change.Kind, _ property: NSPropertyDescription, _ difference: String, action: String = "",
        obstacle: String? = nil, advice: String? = nil
    ) {
        changes.append(
            .init(
                kind, property.owningEntity?.name ?? "", property.name, difference, action: action, obstacle: obstacle,
                advice: advice))
    }

    private mutating func compare(_ attribute: NSAttributeDescription, _ pair: ModelMatch.Entity) {
        let olders = older(attribute).compactMap { $0 as? NSAttributeDescription }
        guard let older = olders.first else {
            let value = attribute.defaultValue
            let action =
                switch attribute {
                case is NSDerivedAttributeDescription: "its values are computed"
                case _ where value != nil: "objects get the default value"
                case _ where attribute.isOptional: "objects have no value for it"
                default: "there must be no objects, since it is required and has no default value"
                }
            add(.added, attribute, "is new", action: action)
            return
        }
        compareNames(attribute, older, pair)
        for path in lostElements(attribute, older) {
            changes.append(
                .init(
                    .removed, older.owningEntity?.name ?? "", path, "is not in the newer model",
                    action: "its values are dropped"))
        }
        for older in olders {
            for obstacle in typeProblems(attribute, older) {
                add(
                    .changed, attribute, obstacle.difference, obstacle: obstacle.reason,
                    advice: "Give the attribute another name, and convert the values with a mapping model or in a custom stage")
            }
        }
        if !attribute.isOptional, olders.contains(where: \.isOptional) {
            add(
                .changed, attribute, "is required now",
                action: attribute.defaultValue == nil
                    ? "all objects must have a value" : "objects without a value get the default value")
        }
        if older.allowsExternalBinaryDataStorage != attribute.allowsExternalBinaryDataStorage {
            add(
                .changed, attribute,
                attribute.allowsExternalBinaryDataStorage
                    ? "may have values in files of their own now" : "has all values in the store's file now",
                action: "its values are written in the other form")
        }
        if let derived = attribute as? NSDerivedAttributeDescription,
            derived.derivationExpressionString != (older as? NSDerivedAttributeDescription)?.derivationExpressionString
        {
            add(.changed, attribute, "is derived in another way", action: "its values are computed anew")
        }
    }

    /// The paths of elements that a newer composite attribute does not have.
    private func lostElements(_ attribute: NSAttributeDescription, _ older: NSAttributeDescription) -> [String] {
        guard let newer = attribute as? NSCompositeAttributeDescription, let old = older as? NSCompositeAttributeDescription,
            newer.nestingProblem == nil, old.nestingProblem == nil
        else { return [] }
        return old.elements.flatMap { element -> [String] in
            let match = newer.elements.first { ModelMatch.match($0, in: old.elements) === element }
            guard let match else { return ["\(old.name).\(element.name)"] }
            return lostElements(match, element).map { "\(old.name).\($0)" }
        }
    }

    private mutating func compareNames(
        _ property: NSPropertyDescription, _ older: NSPropertyDescription, _ pair: ModelMatch.Entity
    ) {
        if older.name != property.name {
            add(.renamed, property, "was called “\(older.name)”", action: "its values take the new name")
        }
        let declaring = older.owningEntity.flatMap { match.destinations[$0.name ?? ""] }
        if declaring !== property.owningEntity {
            add(
                .moved, property, "was declared by “\(older.owningEntity?.name ?? "")”",
                action: "its values stay with their objects")
        }
    }

    /// The older properties from which objects of the declaring entity and its subentities have their values.
    private func older(_ property: NSPropertyDescription) -> [NSPropertyDescription] {
        var seen: Set<ObjectIdentifier> = []
        return (property.owningEntity?.family ?? []).compactMap { match.entities[$0.name ?? ""]?.properties[property.name] }
            .filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    private func typeProblems(
        _ attribute: NSAttributeDescription, _ older: NSAttributeDescription
    ) -> [(difference: String, reason: String)] {
        guard attribute.type == older.type else {
            return [
                (
                    "is of type \(attribute.type) now, and was of type \(older.type)",
                    "values of one type can't be taken for values of another one"
                )
            ]
        }
        guard let newer = attribute as? NSCompositeAttributeDescription, let old = older as? NSCompositeAttributeDescription,
            newer.nestingProblem == nil, old.nestingProblem == nil
        else { return [] }
        return newer.elements.flatMap { element -> [(difference: String, reason: String)] in
            guard let match = ModelMatch.match(element, in: old.elements) else { return [] }
            return typeProblems(element, match).map { ("has an element “\(element.name)” that \($0.difference)", $0.reason) }
        }
    }

    private mutating func compare(_ relationship: NSRelationshipDescription, _ pair: ModelMatch.Entity) {
        let olders = older(relationship).compactMap { $0 as? NSRelationshipDescription }
        let inverseOlders = relationship.inverseRelationship.map(older)?.compactMap { $0 as? NSRelationshipDescription } ?? []
        guard let older = olders.first else {
            let action =
                inverseOlders.isEmpty
                ? relationship.isToMany || relationship.isOptional
                    ? "it leads to no objects" : "there must be no objects, since it is required"
                : "it leads to the objects that its inverse “\(relationship.inverseRelationship?.qualifiedName ?? "")” has"
            add(.added, relationship, "is new", action: action)
            return
        }
        compareNames(relationship, older, pair)
        if older.isToMany, !relationship.isToMany {
            add(
                .changed, relationship, "is to-one now", obstacle: "which of several objects to keep can't be known",
                advice: "Choose one in a custom stage or a mapping model: "
                    + "migrate(Old.self, to: New.self) { old, new, context in … }")
        } else if !older.isToMany, relationship.isToMany {
            add(.changed, relationship, "is to-many now", action: "it leads to the one object that it led to")
        } else if older.isToMany, older.isOrdered != relationship.isOrdered {
            add(
                .changed, relationship, relationship.isOrdered ? "is ordered now" : "is not ordered any more",
                action: relationship.isOrdered ? "its objects are in the order of their keys" : "the order is dropped")
        }
        if !relationship.isToMany, !relationship.isOptional, older.isOptional {
            add(.changed, relationship, "is required now", action: "all objects must have a destination")
        }
        if let other = inverseOlders.first, older.inverseRelationship !== other, other.inverseRelationship !== older {
            add(
                .changed, relationship, "has “\(relationship.inverseRelationship?.qualifiedName ?? "")” as its inverse now",
                obstacle: "both had other inverses before, so that they may contradict each other",
                advice: "Give one of them another name, or set both in a custom stage or a mapping model")
        }
    }

    // MARK: Likely renames

    private func similarEntity(to entity: NSEntityDescription) -> String? {
        let names = Set(entity.properties.map(\.name))
        let candidates = match.entities.values.filter { $0.source == nil && !$0.destination.isAbstract }.map(\.destination)
        let best = candidates.map { ($0, Set($0.properties.map(\.name)).intersection(names).count) }
            .filter { $0.1 > 0 && $0.1 * 2 >= names.count }
            .max { ($0.1, $1.0.name ?? "") < ($1.1, $0.0.name ?? "") }
        guard let found = best?.0.name else { return nil }
        return "If it is called “\(found)” now, set the renaming identifier of “\(found)” to “\(entity.name ?? "")”"
    }

    private func similarProperty(to property: NSPropertyDescription, _ pair: ModelMatch.Entity) -> String? {
        let added = pair.destination.properties.filter { pair.properties[$0.name] == nil && isSameKind($0, property) }
        let names = added.map(\.name)
        let nearest =
            NearestName.suggestion(for: property.name, among: names)
            ?? names.first { $0.lowercased().hasSuffix(property.name.lowercased()) || $0.hasPrefix(property.name) }
        let best = added.first { $0.name == nearest } ?? (added.count == 1 ? added[0] : nil)
        guard let best else { return nil }
        return "If it is called “\(best.name)” now, set the renaming identifier of “\(best.qualifiedName)” to “\(property.name)”"
    }

    private func isSameKind(_ a: NSPropertyDescription, _ b: NSPropertyDescription) -> Bool {
        switch (a, b) {
        case (let a as NSAttributeDescription, let b as NSAttributeDescription): a.isStored && a.type == b.type
        case (let a as NSRelationshipDescription, let b as NSRelationshipDescription):
            a.isToMany == b.isToMany && match.destinations[b.destinationEntity?.name ?? ""] === a.destinationEntity
        default: false
        }
    }
}
