import DataModel

/// What a query is resolved for: a model, and one store with its objects.
package struct QueryEnvironment {
    /// Where an object is.
    package struct Identity {
        /// The index of the root entity.
        let root: Int
        /// 0 for an object that the store does not have.
        let key: Int64

        package init(root: Int, key: Int64) {
            self.root = root
            self.key = key
        }
    }

    let layout: ModelLayout
    /// Whether transient properties may be used: by what is evaluated in memory.
    let allowsTransients: Bool
    /// Whether the store can evaluate a condition; what it can't is left to memory.
    let evaluates: (RowPredicate) -> Bool
    /// The identity of a managed object or of what names one; nil for anything else.
    let identity: (AnyObject) -> Identity?
    /// The index of an entity that is given by its description.
    let entityIndex: (AnyObject) -> Int?

    /// A hint about a name that the entity does not have, if there is one.
    let hint: (String, EntityLayout) -> String?

    package init(
        layout: ModelLayout, allowsTransients: Bool, evaluates: @escaping (RowPredicate) -> Bool = { _ in true },
        identity: @escaping (AnyObject) -> Identity?,
        entityIndex: @escaping (AnyObject) -> Int?, hint: @escaping (String, EntityLayout) -> String? = { _, _ in nil }
    ) {
        self.layout = layout
        self.allowsTransients = allowsTransients
        self.evaluates = evaluates
        self.identity = identity
        self.entityIndex = entityIndex
        self.hint = hint
    }
}
