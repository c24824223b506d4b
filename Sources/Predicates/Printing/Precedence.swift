/// How tightly operators bind, from the loosest to the tightest.
import Foundation

enum Precedence: Int, Comparable, Sendable {
    case or
    case and
    case not
    case comparison
    /// UNION, INTERSECT, MINUS.
    case set
    case bitwiseOr
    case bitwiseXor
    case bitwiseAnd
    case shift
    case sum
    case product
    case prefix
    case power
    /// Key paths and indexes, and everything that stands by itself.
    case postfix

    static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }

    /// The next tighter one.
    var next: Precedence { Precedence(rawValue: rawValue + 1) ?? .postfix }
}

extension PredicateFunction {
    /// The operator that stands for a function of two arguments.
    var infixSymbol: String? {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .raise: "**"
        case .bitwiseAnd: "&"
        case .bitwiseOr: "|"
        case .bitwiseXor: "^"
        case .leftShift: "<<"
        case .rightShift: ">>"
        default: nil
        }
    }

    var precedence: Precedence {
        switch self {
        case .add, .subtract: .sum
        case .multiply, .divide: .product
        case .raise: .power
        case .bitwiseAnd: .bitwiseAnd
        case .bitwiseOr: .bitwiseOr
        case .bitwiseXor: .bitwiseXor
        case .leftShift, .rightShift: .shift
        case .negate, .onesComplement: .prefix
        default: .postfix
        }
    }

    /// Whether the function's result depends on the kinds of its numbers, not on their values alone.
    var isArithmetic: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide, .modulus, .raise, .negate, .sum, .average: true
        default: false
        }
    }
}

extension ExpressionNode {
    var precedence: Precedence {
        switch self {
        case .function(let function, let arguments):
            function.infixSymbol != nil && arguments.count != 2 ? .postfix : function.precedence
        case .setOperation: .set
        case .constant(let value) where value.hasSign: .prefix
        default: .postfix
        }
    }
}

extension PredicateValue {
    /// Whether the value is a number printed with a minus sign.
    var hasSign: Bool {
        switch self {
        case .integer(let value): value < 0
        case .double(let value): value.sign == .minus
        case .decimal(let value): value < 0
        default: false
        }
    }
}
