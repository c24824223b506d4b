/// What differs between a store's model and a newer one, and what a migration will do about each difference.
///
/// Get one from `NSPersistentContainer.migrationPlan(forStoreAt:)`, before anything is changed. Not in Apple's framework.
public struct MigrationPlan: Sendable, CustomStringConvertible {
    /// One difference.
    public struct Change: Sendable, CustomStringConvertible {
        /// What has happened to an entity or a property.
        public enum Kind: Sendable {
            /// Only the newer model has it.
            case added
            /// Only the older model has it.
            case removed
            /// It has another name now.
            case renamed
            /// It is declared by another entity of the same family, or has another parent.
            case moved
            /// It means something else now.
            case changed
        }

        /// What has happened.
        public let kind: Kind
        /// The entity's name: in the newer model, or in the older one if it is gone.
        public let entity: String
        /// The property's name; nil for a difference of the entity itself.
        public let property: String?
        /// What differs, as the rest of a sentence: "is required now".
        public let difference: String
        /// What a migration does about it, as a sentence without its end; empty where nothing has to be done.
        public package(set) var action: String
        /// Why it can't be done without your help; nil if it can.
        public package(set) var obstacle: String?
        /// What would help.
        public package(set) var advice: String?
        /// How many rows of the store it is about, where they were counted.
        public package(set) var rowCount: Int?
        /// How many values or objects will be gone; 0 if none.
        public package(set) var lostCount = 0

        package init(
            _ kind: Kind, _ entity: String, _ property: String? = nil, _ difference: String, action: String = "",
            obstacle: String? = nil, advice: String? = nil
        ) {
            self.kind = kind
            self.entity = entity
            self.property = property
            self.difference = difference
            self.action = action
            self.obstacle = obstacle
            self.advice = advice
        }

        /// The name of the entity or of "Entity.property".
        public var place: String { property.map { "\(entity).\($0)" } ?? entity }

        /// All of it in one line.
        public var description: String {
            var text = "“\(place)” \(difference)"
            if let obstacle {
                text += ": \(obstacle)"
            } else if !action.isEmpty {
                text += ": \(action)"
            }
            if obstacle == nil, let rowCount, !action.isEmpty { text += " (\(rowCount) \(rowCount == 1 ? "row" : "rows"))" }
            if lostCount > 0 { text += "; \(lostCount) \(lostCount == 1 ? "value is" : "values are") lost" }
            if let advice { text += ". \(advice)" }
            return text
        }
    }

    /// The differences, by entity and property.
    public package(set) var changes: [Change]

    /// The size of the store's files, in bytes; 0 where there are none.
    public package(set) var storeSize: Int64 = 0

    /// Whether the store's model is another one than the newer model.
    public package(set) var isNeeded: Bool

    package init(changes: [Change], isNeeded: Bool = true) {
        self.changes = changes
        self.isNeeded = isNeeded
    }

    /// The differences that keep a mapping from being inferred, or the data from fitting the newer model.
    public var obstacles: [Change] { changes.filter { $0.obstacle != nil } }

    /// The differences by which values are lost.
    public var losses: [Change] { changes.filter { $0.lostCount > 0 } }

    /// Whether the store can be migrated without a mapping model or code of the program.
    public var canBeInferred: Bool { obstacles.isEmpty }

    /// How many bytes must be free for the migration: the store's size, since SQLite writes changed pages beside the file
    /// first.
    public var neededSpace: Int64 { isNeeded ? storeSize : 0 }

    /// One line for each difference.
    public var description: String {
        guard isNeeded else { return "the store has this model: nothing is to be migrated" }
        return changes.isEmpty ? "nothing in the store has to be changed" : changes.map(\.description).joined(separator: "\n")
    }
}
