import Foundation
import Testing

@testable import Predicates

@Suite("NSExpression")
struct ExpressionTests {
    private func value(_ format: String, with object: Any? = nil) throws -> Any? {
        try NSExpression(validating: format).value(validating: object)
    }

    private func number(_ format: String, with object: Any? = nil) throws -> Double? {
        (try value(format, with: object) as? NSNumber)?.doubleValue
    }

    @Test("PRD-9: there are all types; their raw values are Foundation's")
    func rawValues() {
        let types: [NSExpression.ExpressionType] = [
            .constantValue, .evaluatedObject, .variable, .keyPath, .function, .unionSet, .intersectSet, .minusSet, .subquery,
            .aggregate, .anyKey, .block,
            .conditional,
        ]
        #expect(Set(types.map(\.rawValue)).count == 13)
    }

    @Test("PRD-177: every way to make an expression, its type and its parts")
    func kinds() throws {
        let constant = NSExpression(forConstantValue: 5)
        #expect(constant.expressionType == .constantValue)
        #expect(constant.constantValue as? Int == 5)
        #expect(NSExpression(forConstantValue: nil).constantValue == nil)
        #expect(NSExpression(forConstantValue: ["x", "y"]).constantValue as? [String] == ["x", "y"])
        #expect(NSExpression.expressionForEvaluatedObject().expressionType == .evaluatedObject)
        let variable = NSExpression(forVariable: "x")
        #expect(variable.expressionType == .variable && variable.variable == "x")
        let path = NSExpression(forKeyPath: "a.b.@count")
        #expect(path.expressionType == .keyPath && path.keyPath == "a.b.@count")
        #expect(path.operand == NSExpression.expressionForEvaluatedObject())
        let function = NSExpression(forFunction: "add:to:", arguments: [path, 2])
        #expect(function.expressionType == .function && function.function == "add:to:")
        #expect(function.arguments == [path, NSExpression(forConstantValue: 2)])
        let call = NSExpression(forFunction: variable, selectorName: "load:", arguments: [path])
        #expect(
            call.expressionType == .function && call.function == "load:" && call.operand == variable && call.arguments == [path])
        let aggregate = NSExpression(forAggregate: [path, 1])
        #expect(aggregate.expressionType == .aggregate)
        #expect(aggregate.collection as? [NSExpression] == [path, NSExpression(forConstantValue: 1)])
        let predicate = NSPredicate(format: "$x.age > 3")
        let subquery = NSExpression(forSubquery: path, usingIteratorVariable: "x", predicate: predicate)
        #expect(subquery.expressionType == .subquery && subquery.variable == "x" && subquery.predicate == predicate)
        #expect(subquery.collection as? NSExpression == path)
        let conditional = NSExpression(forConditional: predicate, trueExpression: constant, falseExpression: path)
        #expect(
            conditional.expressionType == .conditional && conditional.true == constant && conditional.false == path
                && conditional.predicate == predicate)
        for (expression, type) in [
            (NSExpression(forUnionSet: path, with: constant), NSExpression.ExpressionType.unionSet),
            (NSExpression(forIntersectSet: path, with: constant), .intersectSet),
            (NSExpression(forMinusSet: path, with: constant), .minusSet),
        ] {
            #expect(expression.expressionType == type && expression.left == path && expression.right == constant)
        }
        #expect(NSExpression.expressionForAnyKey().expressionType == .anyKey)
        let block = NSExpression(block: { object, arguments, _ in "\(object ?? "") \(arguments)" }, arguments: [constant])
        #expect(block.expressionType == .block && block.arguments == [constant])
        #expect(block.expressionValue(with: "x", context: nil) as? String == "x [5]")
        #expect(block.expressionBlock(1, [], nil) as? String == "1 []")
        let index = NSExpression(format: "a[FIRST]")
        #expect(index.function == "objectFrom:withIndex:" && index.arguments?.last?.constantValue as? String == "FIRST")
    }

    @Test("PRD-175: an expression from a format string, its text, equality and copies")
    func format() throws {
        let expression = NSExpression(format: "%K * %d + sum(b)", "a.x", 3)
        #expect("\(expression)" == "a.x * 3 + sum(b)")
        #expect(expression == NSExpression(format: "a.x * 3 + sum:(b)", argumentArray: []))
        #expect(expression.hash == NSExpression(format: "a.x * 3 + sum:(b)").hash)
        #expect(expression != NSExpression(format: "a.x * 4 + sum:(b)"))
        #expect(expression.copy() as? NSExpression == expression)
        #expect(throws: InvalidPredicateError.self) { try NSExpression(validating: "a == 1") }
        #expect(throws: InvalidPredicateError.self) { try NSExpression(validating: "a +", argumentArray: []) }
    }

    @Test("PRD-176: statistics")
    func statistics() throws {
        #expect(try number("sum({1, 2, 3})") == 6)
        #expect(try number("sum(1, 2, 3)") == 6)
        #expect(try number("average({1, 2, 3, 4})") == 2.5)
        #expect(try number("count({1, nil, 3})") == 3)
        #expect(try number("min({3, 1, nil, 2})") == 1)
        #expect(try number("max({3, 1, nil, 2.5})") == 3)
        #expect(try number("median({5, 1, 3})") == 3)
        #expect(try number("median({5, 1, 3, 2})") == 2.5)
        #expect(try value("mode({1, 2, 2, 3, 3})") as? [Int] == [2, 3])
        #expect(try number("stddev({2, 4, 4, 4, 5, 5, 7, 9})") == 2)
        #expect(try number("sum(x)", with: ["x": [1.5, 2]]) == 3.5)
        #expect(try number("sum(x)", with: [String: Any]()) == 0)
        #expect(try value("average(x)", with: [String: Any]()) == nil)
        for name in ["min", "max", "median", "stddev"] { #expect(try value("\(name)({})") == nil) }
        #expect(
            NSExpression(forFunction: "sum:", arguments: [NSExpression(forConstantValue: [1, 2, 3])]).expressionValue(
                with: nil, context: nil) as? Int == 6)
        #expect(throws: InvalidPredicateError.self) { try value("sum({1, 'x'})") }
        #expect(throws: InvalidPredicateError.self) { try value("max({1, 'x'})") }
        #expect(try value("max({'a', 'b'})") as? String == "b")
        #expect(
            try value("sum(x)", with: ["x": [Decimal(string: "0.1"), Decimal(string: "0.2")]]) as? NSDecimalNumber
                == NSDecimalNumber(string: "0.3"))
    }

    @Test(
        "PRD-105, PRD-170: arithmetic functions",
        arguments: [
            ("7 + 2", 9.0), ("7 - 2", 5), ("7 * 2", 14), ("7 / 2", 3), ("7 / 2.0", 3.5), ("modulus:by:(7, 2)", 1),
            ("modulus:by:(-7, 2)", -1),
            ("modulus:by:(7.5, 2)", 1.5), ("2 ** 10", 1024), ("-(3)", -3), ("sqrt(9)", 3), ("log(1000)", 3), ("ln(1)", 0),
            ("exp(0)", 1), ("floor(-1.5)", -2),
            ("ceiling(-1.5)", -1), ("trunc(-1.5)", -1), ("abs(-1.5)", 1.5), ("abs(-2)", 2), ("floor(3)", 3), ("6 & 3", 2),
            ("6 | 3", 7), ("6 ^ 3", 5),
            ("1 << 4", 16), ("16 >> 2", 4), ("~5", -6), ("1 << 100", 0), ("9223372036854775807 + 1", 9_223_372_036_854_775_808),
            ("-9223372036854775808 / -1", 9_223_372_036_854_775_808), ("noindex:(5)", 5), ("length('é😀')", 3), ("-5 / 2", -2),
        ])
    func arithmetic(format: String, result: Double) throws {
        #expect(try number(format) == result)
    }

    @Test("Arithmetic with nil, zero, decimals, dates and what can't be reckoned with")
    func arithmeticEdges() throws {
        for format in [
            "nil + 1", "1 - nil", "x * 2", "7 / 0", "7.5 / 0", "modulus:by:(7, 0)", "sqrt(nil)", "sqrt(-1)", "nil & 1",
            "abs(nil)", "0.0 / 0", "nil ** 2",
        ] {
            #expect(try value(format, with: [String: Any]()) == nil, "\(format)")
        }
        #expect(try value("x * 3", with: ["x": Decimal(string: "0.1")]) as? NSDecimalNumber == NSDecimalNumber(string: "0.3"))
        #expect(try value("modulus:by:(x, 0.5)", with: ["x": 1.75]) as? Double == 0.25)
        let date = Date(timeIntervalSinceReferenceDate: 100)
        #expect(try value("d + 60", with: ["d": date]) as? Date == date + 60)
        #expect(try value("60 + d - 30", with: ["d": date]) as? Date == date + 30)
        #expect(try number("d - e", with: ["d": date, "e": date - 5]) == 5)
        for format in [
            "'a' + 1", "1 - 'a'", "nil * 'a'", "'a' / 0", "sqrt('a')", "'a' & 1", "uppercase(1)", "length(1)", "1e300 & 1",
            "d * 2", "-'a'",
        ] {
            #expect(
                #expect(throws: InvalidPredicateError.self) { try value(format, with: ["d": date]) }?.kind == .type, "\(format)")
        }
    }

    @Test("PRD-170, PRD-172: texts, time and chance")
    func otherFunctions() throws {
        #expect(try value("uppercase('straße')") as? String == "STRASSE")
        #expect(try value("lowercase:('ÀB')") as? String == "àb")
        #expect(try value("canonical:('Éłś')") as? String == "ełs")
        #expect(try value("uppercase(nil)") == nil)
        let now = try #require(try value("now()") as? Date)
        #expect(abs(now.timeIntervalSinceNow) < 60)
        #expect(try #require(try number("random()")) >= 0)
        for _ in 0..<50 { #expect(try (0..<3).contains(#require(try number("random(3)")))) }
    }

    @Test("PRD-56: casts")
    func casts() throws {
        #expect(try value("CAST(d, 'NSNumber')", with: ["d": Date(timeIntervalSinceReferenceDate: 5)]) as? Int == 5)
        #expect(try value("CAST(n, 'NSDate')", with: ["n": 5]) as? Date == Date(timeIntervalSinceReferenceDate: 5))
        #expect(try value("CAST(s, 'NSNumber')", with: ["s": " 2.5 "]) as? Double == 2.5)
        #expect(try value("CAST(n, 'NSString')", with: ["n": 2.5]) as? String == "2.5")
        #expect(try value("CAST(n, 'NSDecimalNumber')", with: ["n": 2]) as? NSDecimalNumber == 2)
        #expect(try value("CAST(n, 'NSDate')", with: [String: Any]()) == nil)
        #expect(throws: InvalidPredicateError.self) { try value("CAST(s, 'NSNumber')", with: ["s": "x"]) }
        let uuid = UUID()
        #expect(try value("CAST(s, 'NSUUID')", with: ["s": uuid.uuidString]) as? UUID == uuid)
    }

    @Test("PRD-173: casts, elements and lengths by their functions' names; Apple's private functions are errors")
    func functionNames() throws {
        func result(_ function: String, _ arguments: Any...) -> Any? {
            NSExpression(forFunction: function, arguments: arguments.map { NSExpression(forConstantValue: $0) })
                .expressionValue(with: nil, context: nil)
        }
        #expect(result("castObject:toType:", 2.5, "NSString") as? String == "2.5")
        #expect(result("objectFrom:withIndex:", ["a", "b"], 1) as? String == "b")
        #expect(result("length:", "abc") as? Int == 3)
        #expect(throws: InvalidPredicateError.self) { try value("tokenize:using:('a b', 'x')") }
    }

    @Test("PRD-61: set operations")
    func sets() throws {
        let object = ["a": [1, 2, 2], "b": [2, 3]]
        #expect(try value("a UNION b", with: object) as? Set<Int> == [1, 2, 3])
        #expect(try value("a INTERSECT b", with: object) as? Set<Int> == [2])
        #expect(try value("a MINUS b", with: object) as? Set<Int> == [1])
        #expect(try value("a UNION c", with: object) as? Set<Int> == [1, 2])
        #expect(throws: InvalidPredicateError.self) { try value("a UNION 5", with: object) }
    }

    @Test("PRD-55: FUNCTION calls objects that offer functions, and reads properties of others")
    func calls() throws {
        struct Rates: ExpressionFunctionTarget {
            struct Unknown: Error {}
            func value(ofFunction name: String, arguments: [Any?]) throws -> Any? {
                guard name == "euros:", let amount = arguments[0] as? Double else { throw Unknown() }
                return amount * 2
            }
        }
        let call = NSExpression(format: "FUNCTION($rates, 'euros:', price)")
        #expect(try call.value(validating: ["price": 4.5], context: ["rates": Rates()]) as? Double == 9)
        #expect(throws: Rates.Unknown.self) {
            try NSExpression(format: "FUNCTION($rates, 'x')").value(validating: nil, context: ["rates": Rates()])
        }
        #expect(try value("FUNCTION('abc', 'uppercaseString')") as? String == "ABC")
        #expect(throws: InvalidPredicateError.self) { try value("FUNCTION('abc', 'characterAtIndex:', 1)") }
    }

    @Test("PRD-64: FETCH asks the context")
    func fetch() throws {
        final class Context: PredicateFetching {
            func fetch(_ request: Any?, countOnly: Bool) throws -> Any? { countOnly ? 2 : [request as? String ?? "", "b"] }
        }
        let expression = NSExpression(format: "FETCH('a', $context, NO)")
        #expect(try expression.value(validating: nil, context: ["context": Context()]) as? [String] == ["a", "b"])
        #expect(
            try NSExpression(format: "FETCH('a', $context, YES)").value(validating: nil, context: ["context": Context()]) as? Int
                == 2)
        #expect(throws: InvalidPredicateError.self) { try expression.value(validating: nil, context: ["context": 5]) }
    }

    @Test("PRD-62: ANYKEY and index words have no value of their own")
    func noValue() {
        #expect(#expect(throws: InvalidPredicateError.self) { try value("ANYKEY") }?.kind == .unsupported)
    }

    @Test("The context gives variables their values")
    func context() throws {
        #expect(NSExpression(format: "$x + SELF").expressionValue(with: 1, context: ["x": 2]) as? Int == 3)
        #expect(throws: InvalidPredicateError.self) { try NSExpression(format: "$x").value(validating: nil) }
    }
}
