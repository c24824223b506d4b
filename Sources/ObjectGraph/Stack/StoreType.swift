/// The type of SQLite stores.
public let NSSQLiteStoreType = "SQLite"
/// The type of XML stores, which are read and written as a whole, in the format of Apple's framework.
public let NSXMLStoreType = "XML"
/// The type of binary stores, which are read and written as a whole. Their format is this library's own: files of Apple's
/// framework are refused.
public let NSBinaryStoreType = "Binary"
/// The type of stores in memory.
public let NSInMemoryStoreType = "InMemory"

/// The metadata key of a store's type.
public let NSStoreTypeKey = "NSStoreType"
/// The metadata key of a store's UUID.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The metadata key of the version hashes of the model's entities.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The metadata key of the model's version identifiers.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"

/// Opens a store only for reading: nothing is written to it. The value is a number that is true.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// How many seconds to wait for another process that has the store locked: a number.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// SQLite pragmas: a dictionary of names and values.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Opens a store without comparing its version hashes with the model's: a number that is true.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Migrates a store that was made with another model: a number that is true. Descriptions have it unless told otherwise.
///
/// The model that the store was made with is found in the store itself, among the resources of the program, or where
/// ``OpenCoreDataModelFoldersOption`` says. A mapping model among the resources says how to migrate; without one
/// ``NSInferMappingModelAutomaticallyOption`` has to be true. A store that is opened only for reading is not migrated.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Infers how to migrate a store, by names and renaming identifiers, where there is no mapping model: a number that is true.
/// Descriptions have it unless told otherwise; see ``NSMigratePersistentStoresAutomaticallyOption``.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Keeps a history of what is saved in an SQLite store: a number that is true. The tables are Apple's.
///
/// A store that has a history continues it, even without the option.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Gives unused pages of an SQLite store back to the file system when it is added: a number that is true. If others use
/// the store at that time, this is left out, and standard error says so.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Counts what is in the indexes of an SQLite store when it is added, so that SQLite plans queries by it: a number that
/// is true. If others use the store at that time, this is left out, and standard error says so.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Lets ``NSPersistentStoreCoordinator/destroyPersistentStore(at:ofType:options:)`` destroy a store that is damaged or
/// in use: a number that is true.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// How a phone protects the store's file while it is locked: a string. It has no effect, because that is a service of
/// Apple's systems.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// Lets binary stores be decoded without secure coding: a number that is true. It has no effect, because binary stores
/// have a format of their own here, which no archive is in.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Allows saving to SQLite stores whose file has triggers that Core Data has not made: a number that is true. Not in
/// Apple's framework, which runs every trigger.
///
/// Without it such a store can be read, and saving is an error: a trigger may write something other than what was
/// saved, or may never end.
public let OpenCoreDataForeignTriggersOption = "OpenCoreDataForeignTriggersOption"
/// Allows saving to SQLite stores that Apple's framework mirrors with CloudKit, which have tables `ANSCK…`: a number that is
/// true. Not in Apple's framework.
///
/// Without it such a store can be read, and saving is an error. With it what is saved is recorded in the store's history,
/// from which Apple's framework sends it to the cloud; a mirrored store without history is never written. The rules of
/// CloudKit hold for what you save: no uniqueness constraints, optional relationships with inverses.
public let OpenCoreDataMirroredStoresOption = "OpenCoreDataMirroredStoresOption"
/// Allows the folders and files of a store's external binary data to be symbolic links: a number that is true. Not in
/// Apple's framework, which follows links.
///
/// Without it a value whose file is behind a link can't be read, and nothing behind a link is deleted: the author of a
/// store could otherwise make it show or delete other files.
public let OpenCoreDataExternalDataLinksOption = "OpenCoreDataExternalDataLinksOption"
/// Migrates a store of another model in stages, whether or not the other options for migration are given: an
/// ``NSStagedMigrationManager``.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
/// Where to look for the model that a store was made with, beside the store itself and the program's resources: the URL of a
/// folder, of a `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel`, or an array of URLs. Not in Apple's framework.
public let OpenCoreDataModelFoldersOption = "OpenCoreDataModelFoldersOption"
/// Whether a migration may drop values that the newer model has no place for: a number. True unless given, as with Apple's
/// framework. If it is false such a store stays as it is, and the error names what would be lost. Not in Apple's framework.
public let OpenCoreDataAllowsLosingValuesOption = "OpenCoreDataAllowsLosingValuesOption"
/// Keeps a copy of a store before it is migrated: a number that is true. See
/// ``NSPersistentStoreDescription/keepsBackupOfMigratedStore``. Not in Apple's framework.
public let OpenCoreDataMigrationBackupOption = "OpenCoreDataMigrationBackupOption"
/// Makes the coordinator post `NSPersistentStoreRemoteChange` after each write to the store, by any context or process:
/// a number that is true.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"

extension NSPersistentStore {
    /// The types of store.
    public struct StoreType: Hashable, Sendable {
        /// The type's name, such as "SQLite".
        public let rawValue: String

        /// Makes a type from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An SQLite file in Core Data's layout.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// An XML file in the format of Apple's framework, read and written as a whole.
        public static let xml = StoreType(rawValue: NSXMLStoreType)
        /// A binary file in a format of this library's own, read and written as a whole.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        /// Nothing on disk.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    }
}
