/// Mistakes that are found in more than one place.
extension InvalidPredicateError {
    static func unknownFunction(_ name: String, among names: [String], text: String? = nil, position: Int? = nil)
        -> InvalidPredicateError
    {
        let near = NearestName.suggestion(for: name, among: names)
        return InvalidPredicateError(
            .function, "There is no function \"\(name)\"", text: text, position: position,
            suggestion: near.map { "Did you mean \"\($0)\"?" } ?? "The functions are: \(names.joined(separator: " "))")
    }

    static func wrongCount(
        _ function: PredicateFunction, _ count: Int, text: String? = nil, position: Int? = nil
    ) -> InvalidPredicateError {
        let wanted =
            function.isAggregate
            ? "at least one argument" : "\(function.argumentCount) argument\(function.argumentCount == 1 ? "" : "s")"
        return InvalidPredicateError(
            .function, "The function \"\(function.rawValue)\" takes \(wanted), not \(count)", text: text, position: position)
    }

    package static func missingVariable(_ name: String, among names: some Sequence<String>) -> InvalidPredicateError {
        let names = names.sorted()
        let given = names.isEmpty ? "none is given" : "given are \(names.map { "$" + $0 }.joined(separator: ", "))"
        return InvalidPredicateError(.variable, "The variable $\(name) has no value: \(given)")
    }
}
