import Foundation

/// What a predicate sees while it is evaluated for one object.
struct EvaluationScope {
    /// SELF.
    let object: PredicateValue
    /// SELF if it is an object, for readers that know its class.
    let reference: AnyObject?
    /// SELF as it was given, for closures; others don't pay for the copy.
    let original: Any?
    let bindings: [String: Any]
    let context: NSMutableDictionary?
    /// The current elements of the subqueries around the current place, outermost first.
    var locals: [PredicateValue] = []

    init(_ given: Any?, _ bindings: [String: Any]?, context: NSMutableDictionary? = nil, keepsOriginal: Bool) {
        object = PredicateValue(given).asRead
        if case .object(let object) = object { reference = object } else { reference = nil }
        original = keepsOriginal ? given : nil
        self.bindings = bindings ?? [:]
        self.context = context
    }

    init(object: AnyObject, _ bindings: [String: Any]?, keepsOriginal: Bool) {
        self.object = .object(object)
        reference = object
        original = keepsOriginal ? object : nil
        self.bindings = bindings ?? [:]
        context = nil
    }

    /// The values that a predicate or closure made elsewhere sees.
    func bindings(localNames: [String]) -> [String: Any]? {
        guard !locals.isEmpty else { return bindings }
        var result = bindings
        for (name, value) in zip(localNames, locals) { result[name] = value.any ?? NSNull() }
        return result
    }
}
