/// How an entity mapping makes the objects of the newer model.
public enum NSEntityMappingType: UInt, Sendable {
    /// Not said.
    case undefinedEntityMappingType = 0
    /// By a migration policy of the application.
    case customEntityMappingType = 1
    /// The entity is new: there is nothing to make objects of.
    case addEntityMappingType = 2
    /// The entity is gone.
    case removeEntityMappingType = 3
    /// The entity is the same in both models.
    case copyEntityMappingType = 4
    /// The entity has changed.
    case transformEntityMappingType = 5
}
