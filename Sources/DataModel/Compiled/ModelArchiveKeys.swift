/// Keys that compiled models have beside Apple's, for what Apple's archives are not known to hold. Apple's framework skips keys
/// that it does not know.
enum ModelArchiveKeys {
    static let isIndexedBySpotlight = "OpenCoreDataIsIndexedBySpotlight"
    /// The text of a derivation, as the model's source writes it.
    static let derivation = "OpenCoreDataDerivation"
    static let allowsCloudEncryption = "OpenCoreDataAllowsCloudEncryption"
}

/// The bits of an attribute's `NSFlagsKey`.
enum ArchivedAttributeFlags {
    static let externalStorage = 4
    static let preservesValueOnDeletion = 16
}

/// The bits of a fetch request's `NSFetchRequestFlags`.
enum ArchivedRequestFlags {
    static let distinctResults = 1
    static let subentities = 2
    static let propertyValues = 4
    static let faults = 8
    static let pendingChanges = 16
    static let usual = subentities | propertyValues | faults | pendingChanges
}
