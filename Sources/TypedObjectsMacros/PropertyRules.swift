import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What a managed property must not be, as far as its source text shows.
struct PropertyRules {
    private let property: ManagedProperty
    private let pattern: IdentifierPatternSyntax
    private let annotation: TypeAnnotationSyntax
    private let owner: ManagedProperty.Owner

    init(
        _ property: ManagedProperty, pattern: IdentifierPatternSyntax, annotation: TypeAnnotationSyntax,
        owner: ManagedProperty.Owner
    ) {
        self.property = property
        self.pattern = pattern
        self.annotation = annotation
        self.owner = owner
    }

    func check(reportingTo context: any MacroExpansionContext) {
        for (diagnostic, node, fixIts) in problems { diagnostic.report(at: node, fixIts: fixIts, in: context) }
    }

    private typealias Problem = (diagnostic: MacroDiagnostic, node: Syntax, fixIts: [FixIt])

    private var problems: [Problem] {
        let name = property.name
        var problems: [Problem] = []
        if owner != .composite, ReservedNames.all.contains(name) {
            let fixIt = property.declaration.renaming(
                pattern, to: name + "_", storedName: property.storedName, isStoredNameGiven: property.attributes.storedName != nil
            )
            problems.append((.reservedName(name), Syntax(pattern), [fixIt]))
        }
        if property.isFetched, owner != .composite { return problems + fetchedProblems }
        problems += typeProblems
        problems += optionProblems
        problems += owner == .composite ? compositeProblems : relationshipProblems
        return problems
    }

    private var typeProblems: [Problem] {
        let type = property.type.withoutOptional
        let isUnsupported = owner == .managed ? type.isUnmanageable : type.isUnsupported
        guard !property.isCoded, !property.isTransformed, isUnsupported else { return [] }
        var fixIts: [FixIt] = []
        if let replacement = type.replacement {
            fixIts = [annotation.replacingType(by: replacement)]
        } else if type.canBeCodable, property.attributes.attribute == nil {
            fixIts = [property.declaration.adding("@Attribute(.codable)")]
        }
        return [(.unsupportedType(name: property.name, type: "\(property.type)"), Syntax(annotation.type), fixIts)]
    }

    private var optionProblems: [Problem] {
        let attributes = property.attributes
        var problems: [Problem] = []
        for (one, other) in [
            ("codable", "transformable"), ("derived", "transient"), ("derived", "codable"), ("transient", "unique"),
        ]
        where attributes.has(one) && attributes.has(other) {
            let node = attributes.options.last { $0.name == one || $0.name == other }.map { Syntax($0.expression) }
            problems.append((.conflictingOptions(one, other), node ?? Syntax(pattern), []))
        }
        if property.isDerived {
            if let value = property.initialValue, let node = property.declaration.bindings.first?.initializer {
                problems.append(
                    (
                        .derivedWithValue(name: property.name, value: "\(value)"), Syntax(node),
                        [property.declaration.removingInitialValue]
                    ))
            }
            if let modifier = property.declaration.modifiers.first(where: { $0.detail != nil }) {
                problems.append(
                    (.derivedWithSetter(name: property.name), Syntax(modifier), [property.declaration.removingSetterLevel]))
            }
        }
        return problems
    }

    private var fetchedProblems: [Problem] {
        let name = property.name
        let declaration = property.declaration
        var problems: [Problem] = []
        if let other = property.attributes.attribute ?? property.attributes.relationshipAttribute {
            problems.append(
                (.fetchedAndAnnotated(name: name, other.simpleName ?? ""), Syntax(other), [declaration.removing(other)]))
        }
        if !property.type.isArrayOfObjects {
            let fixIts = property.type.arrayOfObjects.map { [annotation.replacingWholeType(by: $0)] } ?? []
            problems.append((.fetchedType(name: name, type: "\(property.type)"), Syntax(annotation.type), fixIts))
        }
        if let value = property.initialValue, let node = declaration.bindings.first?.initializer {
            problems.append(
                (.fetchedWithValue(name: name, value: "\(value)"), Syntax(node), [declaration.removingInitialValue]))
        }
        if let modifier = declaration.modifiers.first(where: { $0.detail != nil }) {
            problems.append((.fetchedWithSetter(name: name), Syntax(modifier), [declaration.removingSetterLevel]))
        }
        return problems
    }

    private var relationshipProblems: [Problem] {
        let attributes = property.attributes
        guard let relationship = attributes.relationshipAttribute else {
            guard property.isToMany, let option = attributes.options.first else { return [] }
            return [(.optionOnRelationship(option.name), Syntax(option.expression), [])]
        }
        if let attribute = attributes.attribute {
            return [
                (.attributeAndRelationship(name: property.name), Syntax(attribute), [property.declaration.removing(attribute)])
            ]
        }
        if property.type.withoutOptional.isKnownValue {
            return [
                (
                    .relationshipOnValue(name: property.name, type: "\(property.type)"), Syntax(relationship),
                    [property.declaration.removing(relationship)]
                )
            ]
        }
        let type = property.type.withoutOptional
        let isToMany = type.isCollection || type.typeName == "NSSet" || type.typeName == "NSOrderedSet"
        let maxCount = relationship.arguments?.as(LabeledExprListSyntax.self)?.first { $0.label?.text == "maxCount" }
        if !isToMany, let maxCount { return [(.countOnToOne(name: property.name), Syntax(maxCount), [])] }
        return []
    }

    private var compositeProblems: [Problem] {
        let name = property.name
        let attributes = property.attributes
        if let relationship = attributes.relationshipAttribute {
            return [(.relationshipInComposite(name: name), Syntax(relationship), [])]
        }
        if let fetched = attributes.fetchedAttribute {
            return [(.relationshipInComposite(name: name), Syntax(fetched), [])]
        }
        if property.isToMany, !property.type.isUnsupported {
            return [(.relationshipInComposite(name: name), Syntax(annotation.type), [])]
        }
        if let option = attributes.options.first(where: { ["codable", "transformable", "derived", "unique"].contains($0.name) }) {
            return [(.optionInComposite(option.name), Syntax(option.expression), [])]
        }
        if property.declaration.bindingSpecifier.tokenKind == .keyword(.let), property.initialValue != nil {
            return [(.constantInComposite(name: name), Syntax(property.declaration.bindingSpecifier), [])]
        }
        return []
    }
}
