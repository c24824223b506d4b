import Foundation

/// Builds attribute descriptions from the elements of a model file.
final class AttributeXMLReader {
    private(set) var problems: [ModelProblem] = []
    private(set) var issues: [ModelProblem] = []
    private let composites: [String: ModelXMLNode]
    private var elementCount = 0
    /// Composites that hold others twice each would otherwise grow without bound.
    private static let elementLimit = NSCompositeAttributeDescription.greatestCount

    init(composites: [ModelXMLNode]) {
        self.composites = Dictionary(composites.compactMap { node in node["name"].map { ($0, node) } }) { first, _ in first }
    }

    func read(_ node: ModelXMLNode, name: String, path: String) -> NSAttributeDescription {
        read(node, name: name, path: path, openComposites: [])
    }

    private func read(_ node: ModelXMLNode, name: String, path: String, openComposites: [String]) -> NSAttributeDescription {
        let type = readType(node, path: path)
        let attribute: NSAttributeDescription
        if type == .composite {
            let composite = NSCompositeAttributeDescription()
            composite.elements = readElements(node, path: path, openComposites: openComposites)
            attribute = composite
        } else if node.flag("derived") {
            let derived = NSDerivedAttributeDescription()
            derived.derivationExpressionString = node.nonEmpty("derivationExpression")
            attribute = derived
        } else {
            attribute = NSAttributeDescription()
        }
        attribute.readCommonValues(node, name: name)
        attribute.type = type
        if type == .transformable { attribute.attributeValueClassName = customClassName(node) }
        attribute.defaultValue = readDefault(node, type: type, path: path)
        attribute.valueTransformerName = node.nonEmpty("valueTransformerName")
        attribute.allowsExternalBinaryDataStorage = node.flag("allowsExternalBinaryDataStorage")
        attribute.preservesValueInHistoryOnDeletion = node.flag("preserveAfterDeletion")
        attribute.allowsCloudEncryption = node.flag("allowsCloudEncryption")
        attribute.setLimits(readLimits(node, type: type, path: path))
        return attribute
    }

    private func readType(_ node: ModelXMLNode, path: String) -> NSAttributeDescription.AttributeType {
        guard let text = node.nonEmpty("attributeType"), text != "Undefined" else { return .undefined }
        if let type = NSAttributeDescription.AttributeType(modelFileName: text) { return type }
        problems.append(ModelProblem("\(path): there is no attribute type “\(text)”", line: node.line))
        return .undefined
    }

    /// "Module.Class", or nil where the class is missing ("Module.", ".").
    private func customClassName(_ node: ModelXMLNode) -> String? {
        guard let name = node.nonEmpty("customClassName"), !name.hasSuffix(".") else { return nil }
        return name
    }

    private func readElements(_ node: ModelXMLNode, path: String, openComposites: [String]) -> [NSAttributeDescription] {
        guard let name = node.nonEmpty("composite") else { return [] }
        guard let composite = composites[name] else {
            problems.append(ModelProblem("\(path): the composite “\(name)” is not in the model", line: node.line))
            return []
        }
        guard openComposites.count < NSCompositeAttributeDescription.greatestDepth else {
            problems.append(
                ModelProblem(
                    "\(path): composites are nested more than \(NSCompositeAttributeDescription.greatestDepth) levels deep",
                    line: node.line))
            return []
        }
        guard !openComposites.contains(name) else {
            problems.append(ModelProblem("\(path): the composite “\(name)” contains itself", line: node.line))
            return []
        }
        return composite.children(named: "attribute").compactMap { element in
            guard let elementName = element.nonEmpty("name") else {
                problems.append(ModelProblem("the composite “\(name)” has an attribute without name", line: element.line))
                return nil
            }
            elementCount += 1
            guard elementCount <= Self.elementLimit else {
                if elementCount == Self.elementLimit + 1 {
                    problems.append(
                        ModelProblem("\(path): the composites hold more than \(Self.elementLimit) attributes", line: node.line))
                }
                return nil
            }
            return read(element, name: elementName, path: "\(path).\(elementName)", openComposites: openComposites + [name])
        }
    }

    // MARK: Values

    private func readDefault(_ node: ModelXMLNode, type: NSAttributeDescription.AttributeType, path: String) -> Any? {
        // The text of a date's default is for display only; the interval counts.
        if type == .date {
            guard let text = node["defaultDateTimeInterval"] else { return nil }
            if let interval = ModelText.double(text) { return Date(timeIntervalSinceReferenceDate: interval) }
            issues.append(ModelProblem("\(path): the default “\(text)” does not fit the type \(type)", line: node.line))
            return nil
        }
        guard let text = node["defaultValueString"] else { return nil }
        let (value, issue) = ModelText.defaultValue(text, of: type)
        if let issue { issues.append(ModelProblem("\(path): \(issue)", line: node.line)) }
        return value
    }

    private func readLimits(_ node: ModelXMLNode, type: NSAttributeDescription.AttributeType, path: String) -> ValidationLimits {
        let suffix = type == .date ? "DateTimeInterval" : "ValueString"
        func limit(_ key: String) -> String? {
            guard let text = node[key + suffix] else { return nil }
            if ModelText.decimal(text) != nil { return text }
            issues.append(ModelProblem("\(path): the limit \(key)\(suffix) “\(text)” is not a number", line: node.line))
            return nil
        }
        return ValidationLimits(
            minimum: limit("min"), maximum: limit("max"), regularExpression: node["regularExpressionString"])
    }
}
