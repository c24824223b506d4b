/// What a source declares of a class of managed objects, in the class itself or in one extension.
package struct ClassOutline: Sendable {
    /// A property that a model has to have.
    package struct Property: Sendable {
        package let name: String
        /// The name in the model.
        package let storedName: String
        /// As written; empty where there is none.
        package let type: String
        package let line: Int
        package let column: Int
    }

    /// An accessor of a to-many relationship.
    package struct Accessor: Sendable {
        package let key: String
        /// Whether it makes sense for ordered relationships only, or for the others only; nil for either.
        package let isOrdered: Bool?
        package let line: Int
        package let column: Int
    }

    package let name: String
    package let isExtension: Bool
    /// What stands behind the colon.
    package let inheritedNames: [String]
    package let line: Int
    package let column: Int
    package internal(set) var properties: [Property] = []
    package internal(set) var accessors: [Accessor] = []
}
