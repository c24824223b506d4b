import DataModel
import Foundation

/// Makes attribute descriptions from the schemas of classes, and collects mistakes.
struct AttributeBuilder {
    let property: _TypedProperty
    let attribute: TypedAttribute
    private(set) var problems: [String] = []

    init(_ property: _TypedProperty, _ attribute: TypedAttribute) {
        self.property = property
        self.attribute = attribute
    }

    /// Whether the attribute has an option.
    private func has(_ fits: (AttributeOption.Kind) -> Bool) -> Bool { attribute.options.contains { fits($0.kind) } }

    var isUnique: Bool { has { if case .unique = $0 { true } else { false } } }

    mutating func make() -> NSAttributeDescription {
        let description = makeDescription()
        description.name = property.storedName
        if attribute.elements == nil { description.attributeType = attribute.type }
        description.isOptional = property.isOptional
        description.defaultValue = attribute.defaultValue
        var limits = ValidationLimits()
        for option in attribute.options { apply(option.kind, to: description, &limits) }
        description.setLimits(limits)
        if attribute.type == .undefinedAttributeType {
            problems.append("the type doesn't say which kind of number the model should have")
        }
        return description
    }

    private mutating func makeDescription() -> NSAttributeDescription {
        if let elements = attribute.elements {
            let composite = NSCompositeAttributeDescription()
            composite.elements = elements.compactMap { element in
                guard case .attribute(let attribute) = element.kind else { return nil }
                var builder = AttributeBuilder(element, attribute)
                let description = builder.make()
                problems += builder.problems.map { "its element “\(element.name)”: \($0)" }
                if builder.isUnique { problems.append("its element “\(element.name)” can't be unique") }
                return description
            }
            return composite
        }
        for case .derived(let expression) in attribute.options.map(\.kind) {
            let derived = NSDerivedAttributeDescription()
            derived.derivationExpressionString = expression
            return derived
        }
        return NSAttributeDescription()
    }

    private mutating func apply(
        _ option: AttributeOption.Kind, to description: NSAttributeDescription, _ limits: inout ValidationLimits
    ) {
        switch option {
        case .unique, .codable, .derived: break
        case .indexed: description.isIndexed = true
        case .transient: description.isTransient = true
        case .externalStorage:
            description.allowsExternalBinaryDataStorage = true
            if attribute.type != .binaryDataAttributeType { problems.append("only binary data can be stored externally") }
        case .preservesValueInHistoryOnDeletion: description.preservesValueInHistoryOnDeletion = true
        case .allowsCloudEncryption: description.allowsCloudEncryption = true
        case .transformable(let name): description.valueTransformerName = name
        case .originalName(let name): description.renamingIdentifier = name
        case .hashModifier(let text): description.versionHashModifier = text
        case .userInfo(let userInfo): description.userInfo = userInfo
        case .range(let minimum, let maximum):
            (limits.minimum, limits.maximum) = (minimum, maximum)
            if !Self.rangedTypes.contains(attribute.type) { problems.append("only numbers and dates can have a range") }
        case .length(let minimum, let maximum):
            (limits.minimum, limits.maximum) = (minimum.map(String.init), maximum.map(String.init))
            if attribute.type != .stringAttributeType { problems.append("only a text can have a length") }
        case .pattern(let text):
            limits.regularExpression = text
            if attribute.type != .stringAttributeType { problems.append("only a text can match a pattern") }
            if (try? NSRegularExpression(pattern: text)) == nil { problems.append("“\(text)” is not a regular expression") }
        }
    }

    private static let rangedTypes: Set<NSAttributeType> = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType, .doubleAttributeType,
        .floatAttributeType, .dateAttributeType,
    ]
}
