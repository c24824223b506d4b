import Foundation
import Testing

@testable import Predicates

@Suite("The format language")
struct FormatLanguageTests {
    private func node(_ format: String, _ arguments: Any?...) throws -> PredicateNode {
        try PredicateParser.predicate(format, arguments)
    }

    private func expression(_ format: String, _ arguments: Any?...) throws -> ExpressionNode {
        try PredicateParser.expression(format, arguments)
    }

    private func compare(
        _ left: ExpressionNode, _ comparisonOperator: NSComparisonPredicate.Operator, _ right: PredicateValue,
        _ modifier: NSComparisonPredicate.Modifier = .direct, _ options: NSComparisonPredicate.Options = []
    ) -> PredicateNode {
        .comparison(ComparisonNode(left, comparisonOperator, .constant(right), modifier: modifier, options: options))
    }

    private let a = ExpressionNode.keyPath("a")
    private let b = ExpressionNode.keyPath("b")
    private let c = ExpressionNode.keyPath("c")
    private let x = PredicateValue.integer(1)
    private let y = PredicateValue.integer(2)
    private let z = PredicateValue.integer(3)

    // MARK: Lexical rules

    @Test("PRD-20: white space means nothing; keywords have no case, names and texts do")
    func whiteSpace() throws {
        #expect(try node("a==1 AND b==2") == node("  a ==\n1\tand b  == 2 "))
        #expect(try node("a beginswith 'x' Or not b In {1}") == node("a BEGINSWITH 'x' OR NOT b IN {1}"))
        #expect(try node("a == 1") != node("A == 1"))
        #expect(try node("a == 'x'") != node("a == 'X'"))
    }

    @Test(
        "PRD-21: escapes in texts",
        arguments: [
            (#"'it\'s'"#, "it's"), (#""say \"x\"""#, "say \"x\""), (#"'a\\b'"#, "a\\b"), (#"'a\nb\tc\rd'"#, "a\nb\tc\rd"),
            (#"'\u00e9\uD83D\uDE00'"#, "é😀"), (#"'\uD83D'"#, #"\uD83D"#), (#"'\u12'"#, #"\u12"#), (#"'\d+\.'"#, #"\d+\."#),
            ("'é😀'", "é😀"), ("''", ""), (#"'"'"#, "\""),
        ])
    func escapes(text: String, value: String) throws {
        #expect(try expression(text) == .constant(.string(value)))
    }

    @Test("PRD-22: signs inside of quotes are text")
    func quotedSigns() throws {
        #expect(try node("a == '%@ %K $x'") == compare(a, .equalTo, .string("%@ %K $x")))
    }

    @Test("PRD-23: numbers")
    func numbers() throws {
        let integers: [(String, Int64)] = [
            ("12", 12), ("0x1F", 31), ("0o17", 15), ("0b101", 5), ("0", 0), ("-7", -7), ("- 7", -7),
            ("9223372036854775807", .max),
            ("-9223372036854775808", .min),
        ]
        for (text, value) in integers {
            guard case .constant(.integer(value)) = try expression(text) else {
                Issue.record("\(text) is \(try expression(text))")
                continue
            }
        }
        let doubles: [(String, Double)] = [
            ("1.5", 1.5), (".5", 0.5), ("1e3", 1000), ("2.5E-1", 0.25), ("1e+2", 100), ("2.0", 2), ("1e999", .infinity),
            ("99999999999999999999", 1e20),
            ("-9223372036854775809", -0x1p63),
        ]
        for (text, value) in doubles {
            guard case .constant(.double(value)) = try expression(text) else {
                Issue.record("\(text) is \(try expression(text))")
                continue
            }
        }
        #expect(try expression("18446744073709551615") == .constant(.unsigned(.max)))
    }

    @Test("PRD-24, PRD-25: the constants; true is the number 1")
    func constants() throws {
        for text in ["TRUE", "YES", "true", "yes"] { #expect(try expression(text) == .constant(.integer(1))) }
        for text in ["FALSE", "NO", "false"] { #expect(try expression(text) == .constant(.integer(0))) }
        for text in ["NULL", "NIL", "nil"] { #expect(try expression(text) == .constant(.null)) }
        #expect(try expression("SELF") == .evaluatedObject)
        #expect(try expression("self") == .evaluatedObject)
        let constant = try #require(NSPredicate(format: "a = true") as? NSComparisonPredicate).rightExpression.constantValue
        #expect(constant as? Int == 1)
        #expect(constant as? Bool == true)
    }

    @Test("PRD-26: variables")
    func variables() throws {
        #expect(try expression("$NAME") == .variable("NAME"))
        #expect(try expression("$x.a.b") == .keyPath(.variable("x"), ["a", "b"]))
    }

    @Test("PRD-27, PRD-28: a sign makes a reserved word a key; words that are reserved in one place only need none")
    func reservedWords() throws {
        #expect(try node("#size == 1") == compare(.keyPath("size"), .equalTo, x))
        #expect(try node("#in == 1") == compare(.keyPath("in"), .equalTo, x))
        #expect(try node("a.#any == 1") == compare(.keyPath("a.any"), .equalTo, x))
        #expect(try node("a.any == 1") == compare(.keyPath("a.any"), .equalTo, x))
        for word in ["size", "first", "last", "cast", "function", "minus"] {
            #expect(try node("\(word) == 1") == compare(.keyPath(word), .equalTo, x))
        }
        for word in [
            "AND", "or", "NOT", "all", "ANY", "none", "in", "LIKE", "matches", "contains", "between", "beginswith", "endswith",
        ] {
            #expect(throws: InvalidPredicateError.self) { try node("\(word) == 1") }
        }
        #expect(try node("ångström == 1") == compare(.keyPath("ångström"), .equalTo, x))
    }

    @Test("PRD-29: a question mark is no token")
    func questionMark() {
        #expect(throws: InvalidPredicateError.self) { try node("a == ?") }
    }

    // MARK: Arguments

    @Test("PRD-30, PRD-34, PRD-35: %@ takes values of any type")
    func objects() throws {
        let date = Date(timeIntervalSinceReferenceDate: 9)
        let uuid = UUID()
        let object = Film()
        #expect(try node("a == %@", "x") == compare(a, .equalTo, .string("x")))
        #expect(try node("a == %@", "x" as NSString) == compare(a, .equalTo, .string("x")))
        #expect(try node("a == %@", 1) == compare(a, .equalTo, x))
        #expect(try node("a == %@", NSNumber(value: 1)) == compare(a, .equalTo, x))
        #expect(try node("a == %@", true) == compare(a, .equalTo, x))
        #expect(try node("a == %@", date) == compare(a, .equalTo, .date(date)))
        #expect(try node("a == %@", date as NSDate) == compare(a, .equalTo, .date(date)))
        #expect(try node("a == %@", uuid as NSUUID) == compare(a, .equalTo, .uuid(uuid)))
        #expect(try node("a == %@", Data([1])) == compare(a, .equalTo, .data(Data([1]))))
        #expect(try node("a == %@", Film.Genre.drama) == compare(a, .equalTo, .string("drama")))
        #expect(try node("a == %@", object) == compare(a, .equalTo, .object(object)))
        #expect(try node("a == %@", nil) == compare(a, .equalTo, .null))
        #expect(try node("a == %@", NSNull()) == compare(a, .equalTo, .null))
        #expect(try node("a == %@", Optional<Int>.none as Any) == compare(a, .equalTo, .null))
        #expect(try node("a IN %@", [1, 2]) == node("a IN {1, 2}"))
        #expect(try node("a IN %@", Set([2, 1])) == node("a IN {1, 2}"))
        #expect(try node("a IN %@", NSArray(array: [1, 2])) == node("a IN {1, 2}"))
        #expect(try node("a IN %@", NSOrderedSet(array: [1, 2])) == node("a IN {1, 2}"))
    }

    @Test("PRD-30: %@ takes predicates and expressions for what they are")
    func embedding() throws {
        let inner = NSPredicate(format: "b == 2 OR c == 3")
        #expect(try node("a == 1 AND %@", inner) == node("a == 1 AND (b == 2 OR c == 3)"))
        #expect(try node("%@ == 1", NSExpression(forKeyPath: "a")) == node("a == 1"))
        #expect(
            try node("a BETWEEN %@", [NSExpression(forKeyPath: "b"), NSExpression(forKeyPath: "c")]) == node("a BETWEEN {b, c}"))
        #expect(try node("%@", NSPredicate(value: true)) == .constant(true))
    }

    @Test("PRD-31: %K takes a key path, alone or as part of one")
    func keyArguments() throws {
        #expect(try node("%K == 1", "a") == compare(a, .equalTo, x))
        #expect(try node("%K == 1", "a.b") == compare(.keyPath("a.b"), .equalTo, x))
        #expect(try node("a.%K == 1", "b") == compare(.keyPath("a.b"), .equalTo, x))
        #expect(try node("%K.b == 1", "a") == compare(.keyPath("a.b"), .equalTo, x))
        #expect(try node("%K == 1", "in") == compare(.keyPath("in"), .equalTo, x))
        #expect(
            try node("SUBQUERY(%K, $x, $x.%K == %@).@count > 0", "a", "b", 3) == node("SUBQUERY(a, $x, $x.b == 3).@count > 0"))
        #expect(try node("%K.@count == 1", "a") == node("a.@count == 1"))
    }

    @Test(
        "PRD-32, PRD-33: the conversions of printf",
        arguments: ["%d", "%i", "%u", "%ld", "%lu", "%lld", "%llu", "%hd", "%x", "%o", "%c", "%zd", "%qi", "%5d"])
    func integers(conversion: String) throws {
        #expect(try node("a == \(conversion)", 1) == compare(a, .equalTo, x))
        #expect(try node("a == \(conversion)", NSNumber(value: 1)) == compare(a, .equalTo, x))
        #expect(try node("a == \(conversion)", true) == compare(a, .equalTo, x))
        #expect(try node("a == \(conversion)", UInt8(1)) == compare(a, .equalTo, x))
        #expect(NSPredicate(format: "a == \(conversion)", argumentArray: [NSNumber(value: 1)]) == NSPredicate(format: "a == 1"))
    }

    @Test("PRD-32: floating-point numbers and C strings")
    func otherConversions() throws {
        for conversion in ["%f", "%lf", "%g", "%e", "%.2f"] {
            #expect(try node("a == \(conversion)", 1.5) == compare(a, .equalTo, .double(1.5)))
            guard case .comparison(let comparison) = try node("a == \(conversion)", 1),
                case .constant(.double(1)) = comparison.right
            else {
                Issue.record("\(conversion) must make a floating-point number")
                continue
            }
        }
        #expect(try node("a == %s", "text") == compare(a, .equalTo, .string("text")))
        let read = try "text".withCString { try node("a == %s", $0) }
        #expect(read == compare(a, .equalTo, .string("text")))
        #expect(try node("a == %d", 3.9) == compare(a, .equalTo, z))
    }

    @Test("PRD-4: too few arguments are an error, surplus ones are ignored")
    func argumentCount() throws {
        #expect(try node("a == %d", 1, 2, 3) == compare(a, .equalTo, x))
        let error = #expect(throws: InvalidPredicateError.self) { try node("a == %d AND b == %@", 1) }
        #expect(error?.kind == .argument)
        #expect(error?.position == 17)
        #expect(#expect(throws: InvalidPredicateError.self) { try node("a == %d", "1") }?.kind == .argument)
        #expect(#expect(throws: InvalidPredicateError.self) { try node("%K == 1", 1) }?.kind == .argument)
        #expect(#expect(throws: InvalidPredicateError.self) { try node("%K == 1", "a..b") }?.kind == .argument)
        #expect(#expect(throws: InvalidPredicateError.self) { try node("a == %f", nil) }?.kind == .argument)
    }

    // MARK: Grammar

    @Test("PRD-41: NOT binds more tightly than AND, AND than OR")
    func precedence() throws {
        let (p, q, r) = (compare(a, .equalTo, x), compare(b, .equalTo, y), compare(c, .equalTo, z))
        #expect(try node("not a == 1 or b == 2 and c == 3") == .or([.not(p), .and([q, r])]))
        #expect(try node("!a == 1 || b == 2 && c == 3") == .or([.not(p), .and([q, r])]))
        #expect(try node("a == 1 AND (b == 2 OR c == 3)") == .and([p, .or([q, r])]))
        #expect(try node("NOT (a == 1 AND b == 2)") == .not(.and([p, q])))
        #expect(try node("NOT NOT a == 1") == .not(.not(p)))
        #expect(try node("! (a == 1)") == .not(p))
    }

    @Test("PRD-42: chains are one list; what is in parentheses stays one operand")
    func chains() throws {
        let p = compare(a, .equalTo, x)
        #expect(try node("a = 1 and a = 1 and a = 1 and a = 1 and a = 1") == .and([p, p, p, p, p]))
        #expect(try node("a = 1 or a = 1 or a = 1") == .or([p, p, p]))
        #expect(try node("a = 1 and (a = 1 or a = 1) and a = 1") == .and([p, .or([p, p]), p]))
        #expect(try node("(a = 1 and a = 1) and a = 1") == .and([.and([p, p]), p]))
    }

    @Test("PRD-40, PRD-43: redundant parentheses disappear; TRUEPREDICATE and FALSEPREDICATE")
    func parentheses() throws {
        #expect(try node("(available = 1)") == node("available == 1"))
        #expect(try node("(((a)) == ((1)))") == node("a == 1"))
        #expect(try node("TRUEPREDICATE") == .constant(true))
        #expect(try node("falsepredicate OR a == 1") == .or([.constant(false), compare(a, .equalTo, x)]))
    }

    @Test("PRD-44: a value alone is no predicate")
    func bareValue() {
        let error = #expect(throws: InvalidPredicateError.self) { try node("isActive") }
        #expect(error?.suggestion == "For a Boolean write isActive == YES")
        #expect(throws: InvalidPredicateError.self) { try node("a == 1 AND isActive") }
        #expect(throws: InvalidPredicateError.self) { try node("NOT isActive") }
    }

    @Test(
        "PRD-45, PRD-47, PRD-48, PRD-49, PRD-50: operators",
        arguments: [
            ("=", NSComparisonPredicate.Operator.equalTo), ("==", .equalTo), (">=", .greaterThanOrEqualTo),
            ("=>", .greaterThanOrEqualTo),
            ("<=", .lessThanOrEqualTo), ("=<", .lessThanOrEqualTo), (">", .greaterThan), ("<", .lessThan), ("!=", .notEqualTo),
            ("<>", .notEqualTo),
            ("BEGINSWITH", .beginsWith), ("CONTAINS", .contains), ("ENDSWITH", .endsWith), ("LIKE", .like), ("MATCHES", .matches),
            ("IN", .in),
        ])
    func operators(text: String, comparisonOperator: NSComparisonPredicate.Operator) throws {
        #expect(try node("a \(text) 'x'") == compare(a, comparisonOperator, .string("x")))
        #expect(try node("a\(text == text.lowercased() ? text : " \(text) ")'x'") == compare(a, comparisonOperator, .string("x")))
        #expect(
            try node("a \(text)[cd] 'x'")
                == compare(a, comparisonOperator, .string("x"), .direct, [.caseInsensitive, .diacriticInsensitive]))
        #expect(
            try node("a \(text) [lndc] 'x'")
                == compare(
                    a, comparisonOperator, .string("x"), .direct,
                    [.caseInsensitive, .diacriticInsensitive, .normalized, .localeSensitive]))
    }

    @Test("PRD-46: BETWEEN needs two values")
    func between() throws {
        #expect(try node("a BETWEEN {1, 2}") == node("a BETWEEN %@", [1, 2]))
        #expect(try node("a BETWEEN $range") == .comparison(ComparisonNode(a, .between, .variable("range"))))
        for bad in ["a BETWEEN {1}", "a BETWEEN {1, 2, 3}", "a BETWEEN 1"] {
            #expect(throws: InvalidPredicateError.self) { try node(bad) }
        }
    }

    @Test("PRD-51: ANY, SOME, ALL, NONE")
    func aggregates() throws {
        let any = compare(.keyPath("a.b"), .equalTo, x, .any)
        #expect(try node("ANY a.b == 1") == any)
        #expect(try node("SOME a.b == 1") == any)
        #expect(try node("NONE a.b == 1") == .not(any))
        #expect(try node("all a.b == 1") == compare(.keyPath("a.b"), .equalTo, x, .all))
        #expect(try node("ANY a.b == 1 AND ALL a.b > 1") == .and([any, compare(.keyPath("a.b"), .greaterThan, x, .all)]))
        #expect(try node("NOT ANY a.b == 1") == .not(any))
    }

    @Test(
        "PRD-52, PRD-53, PRD-54: infix operators and their order",
        arguments: [
            ("a + b * c", "add:to:(a, multiply:by:(b, c))"), ("(a + b) * c", "multiply:by:(add:to:(a, b), c)"),
            ("a - b - c", "from:subtract:(from:subtract:(a, b), c)"), ("a / b / c", "divide:by:(divide:by:(a, b), c)"),
            ("a ** b ** c", "raise:toPower:(a, raise:toPower:(b, c))"), ("-a ** b", "chs:(raise:toPower:(a, b))"),
            ("a ** -b", "raise:toPower:(a, chs:(b))"), ("-a * b", "multiply:by:(chs:(a), b)"), ("- -a", "chs:(chs:(a))"),
            ("a & b | c ^ a", "bitwiseOr:with:(bitwiseAnd:with:(a, b), bitwiseXor:with:(c, a))"),
            ("a << b + c", "leftshift:by:(a, add:to:(b, c))"),
            ("a >> 1", "rightshift:by:(a, 1)"), ("~a", "onesComplement:(a)"),
            ("~a & b", "bitwiseAnd:with:(onesComplement:(a), b)"),
            ("1 * -1", "multiply:by:(1, -1)"), ("a * -1", "multiply:by:(a, -1)"), ("a -1", "from:subtract:(a, 1)"),
            ("-(1)", "chs:(1)"),
            ("-1 ** 2", "chs:(raise:toPower:(1, 2))"),
        ])
    func arithmetic(infix: String, functions: String) throws {
        #expect(try expression(infix) == expression(functions))
    }

    @Test("PRD-55, PRD-174: functions by short and full names, and FUNCTION")
    func functions() throws {
        #expect(try expression("sum(a)") == .function(.sum, [a]))
        #expect(try expression("sum:(a)") == .function(.sum, [a]))
        #expect(try expression("now()") == .function(.now, []))
        #expect(try expression("random()") == .function(.random, []))
        #expect(try expression("canonical:(a)") == .function(.canonical, [a]))
        #expect(try expression("modulus:by:(a, b)") == .function(.modulus, [a, b]))
        #expect(
            try expression("FUNCTION($m, 'load:for:', 1, a)") == .call(.variable("m"), selector: "load:for:", [.constant(x), a]))
        let error = #expect(throws: InvalidPredicateError.self) { try expression("uppercas(a)") }
        #expect(error?.kind == .function)
        #expect(error?.suggestion == "Did you mean \"uppercase\"?")
        for bad in ["sqrt(a, b)", "now(a)", "sum()", "FUNCTION(a)", "FUNCTION(a, b)", "FUNCTION(a, 'b:')", "add:to:(a)"] {
            #expect(#expect(throws: InvalidPredicateError.self) { try expression(bad) }?.kind == .function)
        }
    }

    @Test("PRD-56: CAST of a number is a date")
    func casts() throws {
        #expect(try expression("CAST(3, 'NSDate')") == .constant(.date(Date(timeIntervalSinceReferenceDate: 3))))
        #expect(try expression("CAST(a, 'NSNumber')") == .function(.cast, [a, .constant(.string("NSNumber"))]))
        #expect(
            #expect(throws: InvalidPredicateError.self) { try expression("CAST(a, 'NSDat')") }?.suggestion
                == "Did you mean \"NSDate\"?")
    }

    @Test("PRD-57, PRD-220: TERNARY, with keys after it and in itself")
    func ternary() throws {
        let test = compare(a, .notEqualTo, .null)
        #expect(try expression("TERNARY(a != nil, a, b)") == .conditional(test, a, b))
        #expect(try expression("TERNARY(a != nil, a, b).length") == .keyPath(.conditional(test, a, b), ["length"]))
        #expect(
            try expression("TERNARY(a != nil, TERNARY(a != nil, a, b), c)") == .conditional(test, .conditional(test, a, b), c))
    }

    @Test("PRD-58: SUBQUERY")
    func subquery() throws {
        let inner = compare(.keyPath(.variable("x"), ["b"]), .greaterThan, x)
        #expect(try expression("SUBQUERY(a, $x, $x.b > 1)") == .subquery(a, variable: "x", inner))
        #expect(try expression("SUBQUERY(a, $x, $x.b > 1).@count") == .keyPath(.subquery(a, variable: "x", inner), ["@count"]))
        for bad in ["SUBQUERY(a, x, $x.b > 1)", "SUBQUERY(a, $x)", "SUBQUERY(a, $x, $x.b)", "SUBQUERY(a, $x, $x.b > 1"] {
            #expect(throws: InvalidPredicateError.self) { try expression(bad) }
        }
    }

    @Test("PRD-59, PRD-220: indexes")
    func indexes() throws {
        #expect(try expression("a[3]") == .function(.elementAtIndex, [a, .constant(z)]))
        #expect(try expression("a[FIRST]") == .function(.elementAtIndex, [a, .symbol(.first)]))
        #expect(try expression("a[last]") == .function(.elementAtIndex, [a, .symbol(.last)]))
        #expect(try expression("a[SIZE]") == .function(.elementAtIndex, [a, .symbol(.size)]))
        #expect(try expression("a[#size]") == .function(.elementAtIndex, [a, .keyPath("size")]))
        #expect(try expression("(SELF.a)['k']") == .function(.elementAtIndex, [a, .constant(.string("k"))]))
        #expect(try expression("a[0].b") == .keyPath(.function(.elementAtIndex, [a, .constant(.integer(0))]), ["b"]))
    }

    @Test("PRD-60: braces, empty ones too, with any expressions in them")
    func braces() throws {
        #expect(try expression("{1, 'a', b}") == .aggregate([.constant(x), .constant(.string("a")), b]))
        #expect(try expression("{}") == .aggregate([]))
        #expect(try expression("{{1}, {}}") == .aggregate([.aggregate([.constant(x)]), .aggregate([])]))
    }

    @Test("PRD-61: set operations are read as they are printed")
    func sets() throws {
        #expect(try expression("a UNION b") == .setOperation(.union, a, b))
        #expect(try expression("a INTERSECT b MINUS c") == .setOperation(.minus, .setOperation(.intersect, a, b), c))
    }

    @Test("PRD-62, PRD-63, PRD-64: ANYKEY and FETCH are read, assignments are not")
    func rarities() throws {
        #expect(try node("ANYKEY == 1") == compare(.anyKey, .equalTo, x))
        #expect(try expression("FETCH(a, $context, YES)") == .fetch(request: a, context: .variable("context"), countOnly: true))
        #expect(#expect(throws: InvalidPredicateError.self) { try expression("$x := 1") }?.kind == .unsupported)
        #expect(#expect(throws: InvalidPredicateError.self) { try node("a UTI-CONFORMS-TO 'public.data'") }?.kind == .unsupported)
    }

    @Test("PRD-71, PRD-73, PRD-74, PRD-219: collection operators and SELF in paths")
    func paths() throws {
        for name in [
            "count", "sum.b", "avg.b", "min.b", "max.b", "distinctUnionOfObjects.b", "unionOfObjects.b", "distinctUnionOfSets.b",
        ] {
            #expect(try expression("a.@\(name)") == .keyPath("a.@\(name)"))
        }
        #expect(try expression("a.b.@sum") == .keyPath("a.b.@sum"))
        #expect(try expression("SELF.a") == a)
        #expect(try expression("SELF.@count") == expression("@count"))
        #expect(try node("g.@max.#self == g.@min.#self") == node("g.@max.self == g.@min.self"))
        #expect(
            #expect(throws: InvalidPredicateError.self) { try expression("a.@cuont") }?.suggestion == "Did you mean \"@count\"?")
    }
}
