/// A piece of a format string.
struct PredicateToken {
    enum Kind: Equatable {
        /// A word and the reserved word it is, if it is one.
        case word(String, PredicateKeyword?)
        case number(PredicateValue)
        case string(String)
        /// `$name`.
        case variable(String)
        /// `@name`, with the sign.
        case collectionOperator(String)
        /// `%@`.
        case objectArgument
        /// `%K`.
        case keyArgument
        /// `%d`, `%f`…: the letter that names the type.
        case valueArgument(UInt8)
        case symbol(Symbol)
        case end
    }

    enum Symbol: String, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case and = "&&"
        case or = "||"
        case not = "!"
        case bitAnd = "&"
        case bitOr = "|"
        case bitXor = "^"
        case bitNot = "~"
        case shiftLeft = "<<"
        case shiftRight = ">>"
        case plus = "+"
        case minus = "-"
        case times = "*"
        case power = "**"
        case divide = "/"
        case openParenthesis = "("
        case closeParenthesis = ")"
        case openBrace = "{"
        case closeBrace = "}"
        case openBracket = "["
        case closeBracket = "]"
        case comma = ","
        case dot = "."
        case colon = ":"
        case assign = ":="
    }

    let kind: Kind
    /// The token's bytes in the text.
    let range: Range<Int>
}
