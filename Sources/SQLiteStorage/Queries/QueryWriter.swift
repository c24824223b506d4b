import Predicates
import Storage

/// Writes conditions and expressions in SQL. The requested rows are called `t`, members `s1`, `s2`…, what to-one relationships
/// lead to `j1`, `j2`…
///
/// A condition is 1 where it is true. Where it is false it may be 0 or NULL, which is the same to WHERE, AND, OR and CASE. NOT is
/// written so that the difference does not matter.
struct QueryWriter {
    let mapping: StoreMapping
    /// The number of the parameter for the first constant.
    let firstParameter: Int
    private var aliases: [RowPath: String] = [:]
    private var joins: [Int: [String]] = [:]
    private var joinCount = 0

    init(mapping: StoreMapping, firstParameter: Int) {
        self.mapping = mapping
        self.firstParameter = firstParameter
    }

    /// What to append to the source of a scope's rows, for the paths that were written so far.
    func joins(scope: Int) -> String { (joins[scope] ?? []).map { " " + $0 }.joined() }

    // MARK: Places

    private mutating func alias(_ path: RowPath) -> String {
        guard let owner = path.owner, let step = path.steps.last else { return path.scope == 0 ? "t" : "s\(path.scope)" }
        if let known = aliases[path] { return known }
        let key = foreignKey(step, of: owner)
        joinCount += 1
        let alias = "j\(joinCount)"
        aliases[path] = alias
        joins[path.scope, default: []]
            .append("LEFT JOIN \(mapping.table(of: step.entity)) \(alias) ON \(alias).Z_PK = \(key)")
        return alias
    }

    private mutating func foreignKey(_ step: RowPath.Step, of owner: RowPath) -> String {
        guard case .toOne(let key)? = mapping.places[step.relationship] else { return "NULL" }
        return "\(alias(owner)).\(key.column)"
    }

    private mutating func key(_ path: RowPath) -> String {
        guard let owner = path.owner, let step = path.steps.last else { return "\(alias(path)).Z_PK" }
        return foreignKey(step, of: owner)
    }

    /// An attribute's value as objects have it, whatever another program put into the column.
    mutating func attribute(_ path: RowPath, _ slot: Int) -> String {
        guard let column = mapping.entities[path.entity].column(slot: slot) else { return "NULL" }
        let name = "\(alias(path)).\(column.name)"
        return switch column.encoding {
        case .boolean: "(\(name) <> 0)"
        case .float: "\(StoreFunctions.float)(\(name))"
        default: name
        }
    }

    /// An expression as a column of the result. A value that the attribute can't have comes as it is, so that the reader finds
    /// it.
    mutating func column(_ expression: RowExpression) -> String {
        guard case .attribute(let path, let slot) = expression,
            let column = mapping.entities[path.entity].column(slot: slot), column.encoding == .boolean
        else { return self.expression(expression) }
        let name = "\(alias(path)).\(column.name)"
        return "CASE typeof(\(name)) WHEN 'integer' THEN \(name) <> 0 ELSE \(name) END"
    }

    // MARK: Conditions

    mutating func condition(_ predicate: RowPredicate) -> String {
        switch predicate {
        case .constant(let value): return value ? "1" : "0"
        case .not(let operand): return negation(operand)
        case .and(let operands): return compound(operands, "AND")
        case .or(let operands): return compound(operands, "OR")
        case .isNull(let value): return "\(expression(value)) IS NULL"
        case .equal(let a, let b):
            // The index of a column serves `=`. A constant is not nil.
            return "\(expression(a)) \(a.isConstant || b.isConstant ? "=" : "IS") \(expression(b))"
        case .ordered(let a, let order, let b): return "\(expression(a)) \(order.symbol) \(expression(b))"
        case .collated(let a, let order, let b, let options):
            return "\(StoreFunctions.compare)(\(options), \(expression(a)), \(expression(b))) \(order?.symbol ?? "=") 0"
        case .contains(let whole, let part): return "instr(\(expression(whole)), \(expression(part))) > 0"
        case .matches(let text, let comparisonOperator, let pattern, let options):
            let code = comparisonOperator << 8 | options
            return "\(StoreFunctions.matches)(\(code), \(expression(text)), \(expression(pattern)))"
        case .oneOf(let value, let list):
            return "\(expression(value)) IN (SELECT value FROM \(ValueList.moduleName)(\(parameter(list))))"
        case .exists(let members, let condition):
            return "EXISTS (\(select("1", members, condition)))"
        }
    }

    private mutating func negation(_ predicate: RowPredicate) -> String {
        switch predicate {
        case .constant(let value): value ? "0" : "1"
        case .not(let operand): condition(operand)
        case .isNull(let value): "\(expression(value)) IS NOT NULL"
        case .equal(let a, let b): "\(expression(a)) IS NOT \(expression(b))"
        case .exists: "NOT \(condition(predicate))"
        default: "(\(condition(predicate))) IS NOT 1"
        }
    }

    /// In halves: SQLite limits the depth of its trees, and a chain of thousands of ORs would be as deep.
    private mutating func compound(_ operands: [RowPredicate], _ word: String) -> String {
        func join(_ texts: ArraySlice<String>) -> String {
            guard texts.count > 8 else { return "(" + texts.joined(separator: " \(word) ") + ")" }
            let middle = texts.startIndex + texts.count / 2
            return "(\(join(texts[..<middle])) \(word) \(join(texts[middle...])))"
        }
        return join(operands.map { "(\(condition($0)))" }[...])
    }

    // MARK: Expressions

    private func parameter(_ constant: Int) -> String { "?\(firstParameter + constant)" }

    mutating func expression(_ expression: RowExpression) -> String {
        switch expression {
        case .constant(let index): return parameter(index)
        case .null: return "NULL"
        case .attribute(let path, let slot): return attribute(path, slot)
        case .key(let path): return key(path)
        case .entity(let path): return "\(alias(path)).Z_ENT"
        case .operation(let function, let arguments): return operation(function, arguments.map { self.expression($0) })
        case .function(let function, let arguments):
            return call(StoreFunctions.name(function), arguments)
        case .decimalOperation(let function, let arguments):
            return call(StoreFunctions.decimalName(function), arguments)
        case .real(let value): return "CAST(\(self.expression(value)) AS REAL)"
        case .folded(let text, let options): return "\(StoreFunctions.fold)(\(options), \(self.expression(text)))"
        case .conditional(let test, let yes, let no):
            return "CASE WHEN \(condition(test)) THEN \(self.expression(yes)) ELSE \(self.expression(no)) END"
        case .aggregate(let aggregate, let members, let value):
            let text = value.map { self.expression($0) } ?? "*"
            return "(\(select(aggregate.call(text), members, .constant(true))))"
        case .rows(let aggregate, let value, let isDistinct): return aggregate.groupCall(self.expression(value), isDistinct)
        }
    }

    private mutating func call(_ name: String, _ arguments: [RowExpression]) -> String {
        "\(name)(\(arguments.map { expression($0) }.joined(separator: ", ")))"
    }

    private func operation(_ function: PredicateFunction, _ arguments: [String]) -> String {
        let symbol =
            switch function {
            case .add: "+"
            case .subtract: "-"
            case .multiply: "*"
            case .divide: "/"
            case .modulus: "%"
            case .bitwiseAnd: "&"
            case .bitwiseOr: "|"
            case .leftShift: "<<"
            case .rightShift: ">>"
            default: "~"
            }
        return arguments.count == 1 ? "(\(symbol)\(arguments[0]))" : "(\(arguments.joined(separator: " \(symbol) ")))"
    }

    // MARK: Members

    /// `SELECT result FROM …` over the members that satisfy a condition.
    private mutating func select(_ result: String, _ members: RowMembers, _ condition: RowPredicate) -> String {
        let member = "s\(members.scope)"
        let owner = key(members.owner)
        let table = mapping.table(of: members.entity)
        let source: String
        var link: String
        switch mapping.places[members.relationship] {
        case .members(let key, _)?:
            source = "\(table) \(member)"
            link = "\(member).\(key.column) = \(owner)"
        case .join(let side)? where side.isReflexive:
            source = "\(table) \(member)"
            link =
                "\(member).Z_PK IN (SELECT \(side.member) FROM \(side.table) WHERE \(side.owner) = \(owner) "
                + "UNION SELECT \(side.owner) FROM \(side.table) WHERE \(side.member) = \(owner))"
        case .join(let side)?:
            let pair = "m\(members.scope)"
            // CROSS keeps SQLite from reading the join table for each row of the other one.
            source = "\(side.table) \(pair) CROSS JOIN \(table) \(member) ON \(member).Z_PK = \(pair).\(side.member)"
            link = "\(pair).\(side.owner) = \(owner)"
        case .toOne?, nil:
            source = "\(table) \(member)"
            link = "0"
        }
        for part in [members.filter, condition] {
            if let part, part != .constant(true) { link += " AND (\(self.condition(part)))" }
        }
        return "SELECT \(result) FROM \(source)\(joins(scope: members.scope)) WHERE \(link)"
    }
}

extension RowExpression {
    fileprivate var isConstant: Bool {
        if case .constant = self { true } else { false }
    }
}

extension RowPredicate.Order {
    fileprivate var symbol: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}

extension RowAggregate {
    /// Over the rows of a group: nil where no row has a value.
    fileprivate func groupCall(_ value: String, _ isDistinct: Bool) -> String {
        let values = isDistinct ? "DISTINCT \(value)" : value
        return switch self {
        case .count: "COUNT(\(values))"
        case .sum: "SUM(\(values))"
        case .largeSum, .decimalSum: "CASE WHEN COUNT(\(value)) > 0 THEN \(call(values)) END"
        case .average, .decimalAverage, .minimum, .maximum: call(values)
        }
    }

    fileprivate func call(_ value: String) -> String {
        switch self {
        case .count: "COUNT(*)"
        // The sum of both infinities is NULL, which is not the sum of nothing.
        case .sum: "CASE WHEN COUNT(\(value)) > 0 THEN SUM(\(value)) ELSE 0 END"
        case .largeSum: "\(StoreFunctions.sum)(\(value))"
        case .decimalSum: "\(StoreFunctions.decimalSum)(\(value))"
        case .average: "AVG(\(value))"
        case .decimalAverage: "\(StoreFunctions.decimalAverage)(\(value))"
        case .minimum: "MIN(\(value))"
        case .maximum: "MAX(\(value))"
        }
    }
}
