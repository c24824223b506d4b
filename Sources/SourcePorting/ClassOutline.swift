/// The declarations for a class of managed objects, in the class itself or in one extension.
package struct ClassOutline: Sendable {
    /// A property that the model must have.
    package struct Property: Sendable {
        package let name: String
        /// The name in the model.
        package let storedName: String
        /// The type as written; empty if there is none.
        package let type: String
        package let line: Int
        package let column: Int
    }

    /// An accessor of a to-many relationship.
    package struct Accessor: Sendable {
        package let key: String
        /// Whether it fits only ordered relationships, or only the others; nil if it fits both.
        package let isOrdered: Bool?
        package let line: Int
        package let column: Int
    }

    package let name: String
    package let isExtension: Bool
    /// The names after the colon.
    package let inheritedNames: [String]
    package let line: Int
    package let column: Int
    package internal(set) var properties: [Property] = []
    package internal(set) var accessors: [Accessor] = []
}
