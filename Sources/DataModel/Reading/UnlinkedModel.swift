import Foundation

/// What a model file of any kind says, before its parts are linked: descriptions, and the names by which they refer to others.
struct UnlinkedModel {
    struct Entity {
        let entity: NSEntityDescription
        var parent: String?
        var line: Int?
        /// Where the properties stand, as far as the file has lines.
        var propertyLines: [String: Int] = [:]
        var indexes: [Index] = []
        var compoundIndexes: [Group] = []
        var constraints: [Group] = []
    }

    struct Relationship {
        let relationship: NSRelationshipDescription
        var destination: String?
        var inverse: String?
        /// The entity that has the inverse; nil for the destination.
        var inverseEntity: String?
        var line: Int?
    }

    struct Index {
        var name: String
        var elements: [Element]
        var partialPredicate: String?
    }

    struct Element {
        /// The property; nil for an expression.
        var property: String?
        /// What stands in its place, for messages.
        var text: String
        var kind: String
        var isAscending: Bool
        var line: Int?
    }

    /// Names that belong together: of a constraint, a compound index, a configuration.
    struct Group {
        var names: [String]
        var line: Int?
    }

    struct Configuration {
        var name: String
        var members: [Group]
    }

    struct Template {
        var name: String
        var settings: FetchSettings
        var line: Int?
    }

    var versionIdentifiers: Set<AnyHashable> = []
    var entities: [Entity] = []
    var relationships: [Relationship] = []
    var configurations: [Configuration] = []
    var templates: [Template] = []
    /// Whether subentities may have copies of inherited properties, as some archives have. They are left out.
    var hasInheritedCopies = false
    /// Faults that make the model unusable.
    var problems: [ModelProblem] = []
    /// Harmless faults.
    var issues: [ModelProblem] = []
}
