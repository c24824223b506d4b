import Foundation
import FoundationGaps
import Predicates

extension KeyedArchiveWriter {
    /// A text. The one that stands for nothing needs an object around it.
    mutating func addText(_ text: String) -> Int {
        guard text == "$null" else { return add(text) }
        return add(["NSMutableString", "NSString"], [("NS.string", .text(text))])
    }

    /// The default value of an attribute.
    ///
    /// - Throws: `ModelProblem` if it does not fit the type.
    mutating func addValue(_ value: Any?, of type: NSAttributeDescription.AttributeType) throws -> Int {
        guard let value, !(value is NSNull) else { return Self.null }
        let number = value as? NSNumber
        switch type {
        case .integer16, .integer32, .integer64: if let number { return add(number.intValue) }
        case .boolean: if let number { return add(number.boolValue) }
        case .double, .float: if let number { return add(number.doubleValue) }
        case .decimal: if let decimal = (value as? NSDecimalNumber)?.decimalValue ?? value as? Decimal { return add(decimal) }
        case .string: if let text = value as? String { return addText(text) }
        case .date: if let date = value as? Date { return add(date) }
        case .binaryData: if let data = value as? Data { return add(data) }
        case .uuid: if let uuid = value as? UUID { return add(uuid) }
        case .uri: if let url = value as? URL { return add(url) }
        default: return try addValue(value, what: "the default value")
        }
        throw ModelProblem("the default value \(value) does not fit the type \(type)")
    }

    /// A number, text, date, UUID, URL or bytes.
    ///
    /// - Parameter what: What the value is, for messages.
    mutating func addValue(_ value: Any, what: String) throws -> Int {
        switch value {
        case let text as String: return addText(text)
        case let decimal as NSDecimalNumber: return add(decimal.decimalValue)
        case let number as NSNumber:
            switch String(cString: number.objCType) {
            case "c", "B": return add(number.boolValue)
            case "d", "f": return add(number.doubleValue)
            default: return add(number.intValue)
            }
        case let decimal as Decimal: return add(decimal)
        case let date as Date: return add(date)
        case let data as Data: return add(data)
        case let uuid as UUID: return add(uuid)
        case let url as URL: return add(url)
        default: throw ModelProblem("\(what) is of the class \(type(of: value)), which can't be in a model file")
        }
    }

    private mutating func add(_ date: Date) -> Int {
        add(["NSDate"], [("NS.time", .real(date.timeIntervalSinceReferenceDate))])
    }

    private mutating func add(_ uuid: UUID) -> Int {
        add(["NSUUID"], [("NS.uuidbytes", .data(withUnsafeBytes(of: uuid.uuid) { Data($0) }))])
    }

    private mutating func add(_ url: URL) -> Int {
        let text = addText(url.absoluteString)
        return add(["NSURL"], [("NS.base", .object(Self.null)), ("NS.relative", .object(text))])
    }

    private mutating func add(_ decimal: Decimal) -> Int {
        let number = ArchivedDecimal(decimal)
        return add(
            ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue"],
            [
                ("NS.exponent", .integer(number.exponent)), ("NS.length", .integer(number.length)),
                ("NS.negative", .bool(number.isNegative)), ("NS.compact", .bool(true)), ("NS.mantissa.bo", .integer(1)),
                ("NS.mantissa", .data(number.mantissa)),
            ])
    }

    // MARK: Predicates

    /// - Throws: `ModelProblem` for what archives are not known to hold.
    mutating func add(_ node: PredicateNode) throws -> Int {
        switch node {
        case .constant(let value): return add([value ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate"], [])
        case .not(let operand): return try compound(0, [operand])
        case .and(let operands): return try compound(1, operands)
        case .or(let operands): return try compound(2, operands)
        case .foreign: throw ModelProblem("a predicate that is a closure can't be in a model file")
        case .comparison(let comparison):
            let left = try add(comparison.left)
            let right = try add(comparison.right)
            return add(
                ["NSComparisonPredicate", "NSPredicate"],
                [
                    ("NSLeftExpression", .object(left)), ("NSRightExpression", .object(right)),
                    ("NSPredicateOperator", .object(try addOperator(of: comparison))),
                ])
        }
    }

    private mutating func compound(_ kind: Int, _ operands: [PredicateNode]) throws -> Int {
        let numbers = try operands.map { try add($0) }
        let list = add(["NSArray"], [("NS.objects", .objects(numbers))])
        return add(
            ["NSCompoundPredicate", "NSPredicate"],
            [("NSCompoundPredicateType", .integer(kind)), ("NSSubpredicates", .object(list))])
    }

    private mutating func addOperator(of comparison: ComparisonNode) throws -> Int {
        guard let number = ArchivedOperators.number(of: comparison.comparisonOperator),
            let className = ArchivedOperators.classes[number]
        else { throw ModelProblem("an operator of a predicate can't be in a model file") }
        let options = Int(comparison.options.rawValue)
        var members: [(String, Member)] = [
            ("NSOperatorType", .integer(number)), ("NSModifier", .integer(Int(comparison.modifier.rawValue))),
        ]
        switch number {
        case 0...3: members += [("NSVariant", .integer(number)), ("NSOptions", .integer(options))]
        case 4, 5: members += [("NSNegate", .bool(number == 5)), ("NSOptions", .integer(options))]
        case 8, 9: members += [("NSPosition", .integer(number - 8)), ("NSFlags", .integer(options))]
        default: members.append(("NSFlags", .integer(options)))
        }
        return add([className, "NSPredicateOperator"], members)
    }

    // MARK: Expressions

    /// - Throws: `ModelProblem` for what archives are not known to hold.
    mutating func add(_ node: ExpressionNode) throws -> Int {
        switch node {
        case .evaluatedObject: return add(["NSSelfExpression", "NSExpression"], [("NSExpressionType", .integer(1))])
        case .variable(let name):
            let text = addText(name)
            return add(
                ["NSVariableExpression", "NSExpression"], [("NSExpressionType", .integer(2)), ("NSVariable", .object(text))])
        case .constant(let value):
            let number = try add(value)
            return add(
                ["NSConstantValueExpression", "NSExpression"],
                [("NSExpressionType", .integer(0)), ("NSConstantValue", .object(number))])
        case .keyPath(let operand, let keys): return try keyPath(operand, keys)
        case .function(let function, let arguments):
            let name = addText("_NSPredicateUtilities")
            let target = add(
                ["NSConstantValueExpression", "NSExpression"],
                [("NSExpressionType", .integer(0)), ("NSConstantValueClassName", .object(name))])
            return try call(target, function.rawValue, arguments)
        case .call(let target, let selector, let arguments): return try call(add(target), selector, arguments)
        case .aggregate(let elements):
            let numbers = try elements.map { try add($0) }
            let list = add(["NSArray"], [("NS.objects", .objects(numbers))])
            return add(
                ["NSAggregateExpression", "NSExpression"], [("NSExpressionType", .integer(14)), ("NSCollection", .object(list))])
        case .subquery, .conditional, .setOperation, .symbol, .fetch, .anyKey, .block, .tooDeep:
            throw ModelProblem("“\(PredicatePrinter.print(node))” can't be in a compiled model")
        }
    }

    private mutating func add(_ value: PredicateValue) throws -> Int {
        switch value {
        case .null: return Self.null
        case .integer(let number): return add(Int(number))
        case .unsigned(let number): return add(Double(number))
        case .double(let number): return add(number)
        case .decimal(let number): return add(number)
        case .string(let text): return addText(text)
        case .date(let date): return add(date)
        case .data(let data): return add(data)
        case .uuid(let uuid): return add(uuid)
        case .url(let url): return add(url)
        case .collection(let collection):
            let numbers = try collection.elements.map { try add($0) }
            return add(["NSArray"], [("NS.objects", .objects(numbers))])
        case .object, .other: throw ModelProblem("a predicate with \(value.typeName) can't be in a model file")
        }
    }

    private mutating func keyPath(_ operand: ExpressionNode, _ keys: [String]) throws -> Int {
        var isSelf = false
        if case .evaluatedObject = operand { isSelf = true }
        let target = try add(operand)
        let path = addText(keys.joined(separator: "."))
        let specifier = add(
            ["NSKeyPathSpecifierExpression", "NSExpression"], [("NSExpressionType", .integer(10)), ("NSKeyPath", .object(path))])
        let arguments = add(["NSMutableArray", "NSArray"], [("NS.objects", .objects([specifier]))])
        let selector = addText(isSelf && keys.count == 1 ? "valueForKey:" : "valueForKeyPath:")
        return add(
            ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression"],
            [
                ("NSExpressionType", .integer(isSelf ? 3 : 4)), ("NSOperand", .object(target)),
                ("NSSelectorName", .object(selector)), ("NSArguments", .object(arguments)),
            ])
    }

    private mutating func call(_ target: Int, _ selector: String, _ arguments: [ExpressionNode]) throws -> Int {
        let numbers = try arguments.map { try add($0) }
        let list = add(["NSMutableArray", "NSArray"], [("NS.objects", .objects(numbers))])
        let name = addText(selector)
        return add(
            ["NSFunctionExpression", "NSExpression"],
            [
                ("NSExpressionType", .integer(4)), ("NSOperand", .object(target)), ("NSSelectorName", .object(name)),
                ("NSArguments", .object(list)),
            ])
    }
}
