import Foundation

/// A relation between two texts that `#Predicate` knows and Linux Foundation has no node for.
///
/// Foundation stops the program when it describes a predicate with a foreign node. So these relations are put together from its
/// own nodes: a range "contains" the texts that have the relation to a text, and a key path leads from the text to the range.
protocol TextRelation: RangeExpression where Bound == String {
    /// The same relation in a predicate.
    static var comparison: (_NSComparisonPredicate.Operator, _NSComparisonPredicate.Options) { get }
}

extension TextRelation {
    /// No collection is indexed by texts, so this is never called.
    public func relative<C: Collection>(to collection: C) -> Range<String> where C.Index == String {
        collection.startIndex..<collection.endIndex
    }
}

/// The texts that a text contains in the sense of `localizedStandardContains`. `#Predicate` uses it; programs need not.
public struct _LocalizedStandardContents: RangeExpression, TextRelation {
    let text: String

    static var comparison: (_NSComparisonPredicate.Operator, _NSComparisonPredicate.Options) {
        (.contains, [.caseInsensitive, .diacriticInsensitive, .localeSensitive])
    }

    /// Whether the text contains another one, whatever the case and diacritics, in the current locale.
    public func contains(_ element: String) -> Bool { text.localizedStandardContains(element) }
}

/// The texts that differ from a text only in case. `#Predicate` uses it; programs need not.
public struct _CaseVariants: RangeExpression, TextRelation {
    let text: String

    static var comparison: (_NSComparisonPredicate.Operator, _NSComparisonPredicate.Options) { (.equalTo, .caseInsensitive) }

    /// Whether another text differs only in case.
    public func contains(_ element: String) -> Bool { text.caseInsensitiveCompare(element) == .orderedSame }
}

/// The texts that come after a text, whatever the case. `#Predicate` uses it; programs need not.
public struct _CaseInsensitiveSuccessors: RangeExpression, TextRelation {
    let text: String

    static var comparison: (_NSComparisonPredicate.Operator, _NSComparisonPredicate.Options) { (.lessThan, .caseInsensitive) }

    /// Whether another text comes after this one.
    public func contains(_ element: String) -> Bool { text.caseInsensitiveCompare(element) == .orderedAscending }
}

/// The texts that are the same as a text in the current locale. `#Predicate` uses it; programs need not.
public struct _LocalizedVariants: RangeExpression, TextRelation {
    let text: String

    static var comparison: (_NSComparisonPredicate.Operator, _NSComparisonPredicate.Options) { (.equalTo, .localeSensitive) }

    /// Whether another text is the same.
    public func contains(_ element: String) -> Bool { text.localizedCompare(element) == .orderedSame }
}

/// The texts that come after a text in the current locale. `#Predicate` uses it; programs need not.
public struct _LocalizedSuccessors: RangeExpression, TextRelation {
    let text: String

    static var comparison: (_NSComparisonPredicate.Operator, _NSComparisonPredicate.Options) { (.lessThan, .localeSensitive) }

    /// Whether another text comes after this one.
    public func contains(_ element: String) -> Bool { text.localizedCompare(element) == .orderedAscending }
}

extension String {
    var localizedStandardContents: _LocalizedStandardContents { _LocalizedStandardContents(text: self) }
    var caseVariants: _CaseVariants { _CaseVariants(text: self) }
    var caseInsensitiveSuccessors: _CaseInsensitiveSuccessors { _CaseInsensitiveSuccessors(text: self) }
    var localizedVariants: _LocalizedVariants { _LocalizedVariants(text: self) }
    var localizedSuccessors: _LocalizedSuccessors { _LocalizedSuccessors(text: self) }
}
