import SwiftSyntax

extension PortingRules {
    /// `request as! NSFetchRequest<NSFetchRequestResult>` is the usual way to a batch deletion. In Objective-C, all
    /// forms of a generic class are one class at run time. In Swift they are not, so the cast would stop the program.
    mutating func portCast(_ sequence: SequenceExprSyntax) {
        let elements = Array(sequence.elements)
        for (index, element) in elements.enumerated() where index > 0 && index + 1 < elements.count {
            guard let cast = element.as(UnresolvedAsExprSyntax.self), let mark = cast.questionOrExclamationMark,
                Self.isUntypedRequest(source[elements[index + 1].textRange])
            else { continue }
            let request = elements[index - 1]
            if elements.count == 3, isArgumentOfBatchDeletion(sequence) {
                // The initializer takes every request.
                edits.removeExactly(request.textRange.upperBound..<elements[2].textRange.upperBound)
                edits.count(.requestCast)
            } else if mark.text == "!", Self.isFetchRequestOfClass(request) {
                // The class also has a method with this result type, and the compiler chooses it.
                edits.removeExactly(mark.textRange)
                edits.count(.requestCast)
            } else {
                say(
                    .warning, at: cast,
                    "a request for objects of a class does not have this type at run time: make it with this type, or pass it to NSBatchDeleteRequest as it is"
                )
            }
        }
    }

    private static func isUntypedRequest(_ type: String) -> Bool {
        let plain = type.filter { !$0.isWhitespace }
        return plain == "NSFetchRequest<NSFetchRequestResult>" || plain == "NSFetchRequest<anyNSFetchRequestResult>"
    }

    private func isArgumentOfBatchDeletion(_ sequence: SequenceExprSyntax) -> Bool {
        guard let argument = sequence.parent?.as(LabeledExprSyntax.self), argument.label?.text == "fetchRequest",
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
        else { return false }
        return source[call.calledExpression.textRange] == "NSBatchDeleteRequest"
    }

    /// `Movie.fetchRequest()`.
    private static func isFetchRequestOfClass(_ expression: ExprSyntax) -> Bool {
        guard let call = expression.as(FunctionCallExprSyntax.self), call.arguments.isEmpty else { return false }
        return call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "fetchRequest"
    }
}
