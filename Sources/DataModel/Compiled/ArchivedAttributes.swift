import Foundation
import FoundationGaps
import Predicates

/// Builds attribute descriptions from the objects of a compiled model.
struct ArchivedAttributes {
    private let graph: ArchiveGraph

    init(_ graph: ArchiveGraph) { self.graph = graph }

    typealias Result = (attribute: NSAttributeDescription, problems: [ModelProblem], issues: [ModelProblem])

    /// Reads what attributes have beside what all properties have.
    func read(_ object: ArchiveGraph.Object, path: String) throws -> Result {
        var state = State()
        let attribute = try read(object, path, 0, &state)
        return (attribute, state.problems, state.issues)
    }

    private struct State {
        var problems: [ModelProblem] = []
        var issues: [ModelProblem] = []
        var elementCount = 0
    }

    private func read(
        _ object: ArchiveGraph.Object, _ path: String, _ depth: Int, _ state: inout State
    ) throws -> NSAttributeDescription {
        let code = try graph.integer("NSAttributeType", of: object) ?? 0
        let type = NSAttributeDescription.AttributeType(rawValue: UInt(exactly: code) ?? .max)
        if type != .undefined, type.modelFileName == nil {
            state.problems.append(ModelProblem("\(path): there is no attribute type \(code)"))
        }
        let attribute: NSAttributeDescription
        switch object.className {
        case "NSDerivedAttributeDescription": attribute = try derived(object, path, &state)
        case "NSCompositeAttributeDescription": attribute = try composite(object, path, depth, &state)
        default:
            if type == .composite {
                state.problems.append(ModelProblem("\(path): it is a composite without elements"))
            }
            attribute = NSAttributeDescription()
        }
        attribute.type = type
        if type == .transformable || type == .undefined {
            attribute.attributeValueClassName = try graph.text("NSAttributeValueClassName", of: object)
        }
        attribute.valueTransformerName = try graph.text("NSValueTransformerName", of: object).flatMap { $0.isEmpty ? nil : $0 }
        let flags = try graph.integer("NSFlagsKey", of: object) ?? 0
        attribute.allowsExternalBinaryDataStorage = flags & ArchivedAttributeFlags.externalStorage != 0
        attribute.preservesValueInHistoryOnDeletion = flags & ArchivedAttributeFlags.preservesValueOnDeletion != 0
        attribute.allowsCloudEncryption = try graph.flag(ModelArchiveKeys.allowsCloudEncryption, of: object)
        if let value = try graph.member("NSDefaultValue", of: object) {
            attribute.defaultValue = try defaultValue(value, type, path, &state)
        }
        try readValidation(object, attribute, path, &state)
        return attribute
    }

    private func derived(
        _ object: ArchiveGraph.Object, _ path: String, _ state: inout State
    ) throws -> NSDerivedAttributeDescription {
        let derived = NSDerivedAttributeDescription()
        do {
            if let value = try graph.member("NSDerivationExpression", of: object), !value.isNull {
                let node = try ArchivedPredicates.expression(value, in: graph)
                derived.derivationExpressionString = PredicatePrinter.print(node.asDerivation)
                // Of several texts for the same thing it is the one that the source has.
                if let text = try graph.text(ModelArchiveKeys.derivation, of: object),
                    (try? ArchivedText.derivation(text)) == node
                {
                    derived.derivationExpressionString = text
                }
            }
            if let value = try graph.member("NSFilteringPredicate", of: object), !value.isNull {
                derived.filterPredicate = try ArchivedPredicates.predicate(value, in: graph).predicate
            }
        } catch let problem as ModelProblem {
            // Without them the store would compute something else.
            state.problems.append(ModelProblem("\(path): what it is derived from can't be read: \(problem.text)"))
        }
        return derived
    }

    private func composite(
        _ object: ArchiveGraph.Object, _ path: String, _ depth: Int, _ state: inout State
    ) throws -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        guard depth < NSCompositeAttributeDescription.greatestDepth else {
            state.problems.append(
                ModelProblem(
                    "\(path): composites are nested more than \(NSCompositeAttributeDescription.greatestDepth) levels deep"))
            return composite
        }
        var elements: [NSAttributeDescription] = []
        defer { composite.elements = elements }
        for value in try graph.member("NSCompositeElements", of: object).flatMap(graph.items) ?? [] {
            state.elementCount += 1
            guard state.elementCount <= NSCompositeAttributeDescription.greatestCount, state.problems.count < 100 else {
                state.problems.append(
                    ModelProblem(
                        "\(path): the composites hold more than \(NSCompositeAttributeDescription.greatestCount) attributes"))
                return composite
            }
            guard case .object(let element) = try graph.resolve(value), let name = try graph.text("NSPropertyName", of: element),
                !name.isEmpty
            else {
                state.problems.append(ModelProblem("\(path): the composite has an attribute without name"))
                continue
            }
            let attribute = try read(element, "\(path).\(name)", depth + 1, &state)
            state.issues += try graph.readCommonValues(of: element, into: attribute, name: name, path: "\(path).\(name)")
            elements.append(attribute)
        }
        return composite
    }

    // MARK: Values

    private func defaultValue(
        _ value: ArchiveGraph.Value, _ type: NSAttributeDescription.AttributeType, _ path: String, _ state: inout State
    ) throws -> Any? {
        if case .null = value { return nil }
        let found = try graph.foundationValue(value)
        if let fitting = Self.fitting(found, type) { return fitting }
        let text: String
        if case .object(let object) = value, found == nil {
            text = "of the class \(object.className)"
        } else {
            text = "“\(found ?? "")”"
        }
        state.issues.append(ModelProblem("\(path): the default \(text) does not fit the type \(type)"))
        return nil
    }

    private static func fitting(_ value: Any?, _ type: NSAttributeDescription.AttributeType) -> Any? {
        switch type {
        case .decimal:
            if let decimal = value as? NSDecimalNumber { return decimal }
            return (value as? NSNumber).flatMap { ModelText.decimal("\($0)") }.map(NSDecimalNumber.init(decimal:))
        case .integer16, .integer32, .integer64:
            guard let number = value as? NSNumber else { return nil }
            let whole = Int64(exactly: number.doubleValue) == nil ? nil : Optional(number.int64Value)
            return whole.flatMap { ModelText.value(String($0), of: type) }
        case .double: return (value as? NSNumber).map { NSNumber(value: $0.doubleValue) }
        case .float: return (value as? NSNumber).map { NSNumber(value: $0.floatValue) }
        case .boolean: return (value as? NSNumber).map { NSNumber(value: $0.boolValue) }
        case .string: return value as? String
        case .date: return value as? Date
        case .binaryData: return value as? Data
        case .uuid: return value as? UUID
        case .uri: return value as? URL
        case .transformable: return value
        default: return nil
        }
    }

    // MARK: Validation

    private func readValidation(
        _ object: ArchiveGraph.Object, _ attribute: NSAttributeDescription, _ path: String, _ state: inout State
    ) throws {
        guard let values = try graph.member("NSValidationPredicates", of: object).flatMap(graph.items), !values.isEmpty else {
            return
        }
        let warnings = try graph.member("NSValidationWarnings", of: object).flatMap(graph.items) ?? []
        var limits = ValidationLimits()
        var others: [(NSPredicate, Any)] = []
        for (place, value) in values.enumerated() {
            do {
                let node = try ArchivedPredicates.predicate(value, in: graph)
                let warning = place < warnings.count ? try graph.foundationValue(warnings[place]) : nil
                // Only what the model editor offers has a code; a text is what a program has set.
                if warning is String || !limits.take(node) { others.append((node.predicate, warning ?? "")) }
            } catch let problem as ModelProblem {
                state.issues.append(ModelProblem("\(path): a validation predicate can't be read: \(problem.text)"))
            }
        }
        attribute.setLimits(limits)
        guard !others.isEmpty else { return }
        attribute.setValidationPredicates(
            attribute.validationPredicates + others.map(\.0), warnings: attribute.validationWarnings + others.map(\.1))
    }
}

extension ArchiveGraph.Value {
    var isNull: Bool { if case .null = self { true } else { false } }
}

extension ExpressionNode {
    /// Apple's compiler makes `count:(notes)` of `notes.@count`.
    fileprivate var asDerivation: ExpressionNode {
        guard case .function(let function, let arguments) = self, arguments.count == 1,
            case .keyPath(let operand, let keys) = arguments[0]
        else { return self }
        switch function {
        case .count: return .keyPath(operand, keys + ["@count"])
        case .sum: return .keyPath(operand, keys + ["@sum"])
        default: return self
        }
    }
}

extension ExpressionNode {
    /// Whether it is the value itself, or what the model editor's limits say of a text or a date.
    fileprivate var isMeasure: Bool {
        switch self {
        case .evaluatedObject: true
        case .keyPath(.evaluatedObject, let keys): keys == ["length"] || keys == ["timeIntervalSinceReferenceDate"]
        default: false
        }
    }
}

extension ValidationLimits {
    /// Takes a predicate that stands for a limit of the model editor. False for any other.
    fileprivate mutating func take(_ node: PredicateNode) -> Bool {
        guard case .comparison(let comparison) = node, comparison.modifier == .direct, comparison.options == [],
            case .constant(let value) = comparison.right
        else { return false }
        if case (.evaluatedObject, .matches, .string(let pattern)) = (comparison.left, comparison.comparisonOperator, value) {
            guard regularExpression == nil else { return false }
            regularExpression = pattern
            return true
        }
        guard let text = Self.text(value), comparison.left.isMeasure else { return false }
        switch comparison.comparisonOperator {
        case .greaterThanOrEqualTo where minimum == nil: minimum = text
        case .lessThanOrEqualTo where maximum == nil: maximum = text
        default: return false
        }
        return true
    }

    private static func text(_ value: PredicateValue) -> String? {
        switch value {
        case .integer(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .double(let number) where number.isFinite: "\(number)"
        case .decimal(let number): "\(number)"
        case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
        default: nil
        }
    }
}
