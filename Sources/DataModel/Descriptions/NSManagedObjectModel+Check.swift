extension NSManagedObjectModel {
    /// What makes the model unusable: names that are missing or stand twice, entities that lead out of the model.
    ///
    /// A model from a file has none of this. Models made in code should be checked before a store uses them.
    package final var structuralProblems: [String] {
        var problems: [String] = []
        var names: Set<String> = []
        let members = Set(entities.map(ObjectIdentifier.init))
        let deep = entities.filter(\.isTooDeep)
        if let first = deep.first {
            return [
                "\(first.name ?? ""): it has more than \(NSEntityDescription.greatestDepth) levels of superentities, or inherits from itself"
                    + (deep.count > 1 ? ", as \(deep.count - 1) others" : "")
            ]
        }
        for entity in entities {
            let name = entity.name ?? ""
            if name.isEmpty {
                problems.append("an entity has no name")
            } else if !names.insert(name).inserted {
                problems.append("two entities of the model are named “\(name)”: rename one of them")
            }
            if let parent = entity.superentity, !members.contains(ObjectIdentifier(parent)) {
                problems.append("\(name): its superentity “\(parent.name ?? "")” is not in the model")
            }
            for child in entity.subentities where !members.contains(ObjectIdentifier(child)) {
                problems.append("\(name): its subentity “\(child.name ?? "")” is not in the model")
            }
            if let parent = entity.superentity, parent.isKindOf(entity: entity) {
                problems.append("\(name): it inherits from itself")
            }
            problems += entity.problemsOfProperties(members: members)
        }
        return problems
    }
}

extension NSEntityDescription {
    fileprivate func problemsOfProperties(members: Set<ObjectIdentifier>) -> [String] {
        var problems: [String] = []
        var names: Set<String> = []
        for property in properties {
            // Inherited properties come first and are checked where they are declared.
            let isOwn = property.owningEntity === self
            if !names.insert(property.name).inserted, isOwn {
                problems.append(
                    "\(property.qualifiedName): the entity has this property twice, or inherits one of this name: rename one of them"
                )
            }
            guard isOwn else { continue }
            if property.name.isEmpty { problems.append("\(name ?? ""): a property has no name") }
            if let derived = property as? NSDerivedAttributeDescription, let problem = derived.problem {
                problems.append("\(derived.qualifiedName): \(problem)")
            }
            if let composite = property as? NSCompositeAttributeDescription, let problem = composite.nestingProblem {
                problems.append("\(composite.qualifiedName): \(problem)")
            }
            guard let relationship = property as? NSRelationshipDescription else { continue }
            guard let destination = relationship.destinationEntity else {
                problems.append("\(relationship.qualifiedName): the relationship has no destination entity")
                continue
            }
            if !members.contains(ObjectIdentifier(destination)) {
                problems.append(
                    "\(relationship.qualifiedName): the destination entity “\(destination.name ?? "")” is not in the model")
            }
            if let inverse = relationship.inverseRelationship,
                !destination.properties.contains(where: { $0 === inverse })
            {
                problems.append(
                    "\(relationship.qualifiedName): its inverse “\(inverse.qualifiedName)” is not in the destination entity")
            }
        }
        for names in uniquenessConstraintNames {
            for property in names where propertiesByName[property] == nil {
                problems.append("\(name ?? ""): a uniqueness constraint names “\(property)”, which is not a property")
            }
        }
        return problems
    }
}
