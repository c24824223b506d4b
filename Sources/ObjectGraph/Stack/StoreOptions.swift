import DataModel
import Foundation
import Storage

/// The options of a store that have a meaning here, read in one place. A value of a wrong type is an error. If it were
/// ignored, a store could be opened for writing that should be only read.
struct StoreOptions {
    let isReadOnly: Bool
    let ignoresVersioning: Bool
    let allowsForeignTriggers: Bool
    let allowsMirroredStores: Bool
    let followsExternalLinks: Bool
    /// Whether the coordinator posts `NSPersistentStoreRemoteChange`.
    let tellsOfRemoteChanges: Bool
    let tracksHistory: Bool
    let wantsMigration: Bool
    let infersMapping: Bool
    /// Whether a migration may drop values that the newer model has no place for.
    let allowsLosingValues: Bool
    /// Whether a copy of the store is kept before it is migrated.
    let keepsBackup: Bool
    /// Where older models are looked for beside the program's resources.
    let modelFolders: [URL]
    let vacuums: Bool
    let analyzes: Bool
    /// Whether a store that is damaged or in use is destroyed, too.
    let forcesDestruction: Bool
    let timeout: TimeInterval?
    let pragmas: [String: String]

    /// - Throws: 134060 for a value of a wrong type.
    init(_ options: [AnyHashable: Any]?) throws {
        let options = options ?? [:]
        isReadOnly = try Self.isOn(NSReadOnlyPersistentStoreOption, options)
        ignoresVersioning = try Self.isOn(NSIgnorePersistentStoreVersioningOption, options)
        allowsForeignTriggers = try Self.isOn(OpenCoreDataForeignTriggersOption, options)
        allowsMirroredStores = try Self.isOn(OpenCoreDataMirroredStoresOption, options)
        followsExternalLinks = try Self.isOn(OpenCoreDataExternalDataLinksOption, options)
        tellsOfRemoteChanges = try Self.isOn(NSPersistentStoreRemoteChangeNotificationPostOptionKey, options)
        tracksHistory = try Self.isOn(NSPersistentHistoryTrackingKey, options)
        wantsMigration = try Self.isOn(NSMigratePersistentStoresAutomaticallyOption, options)
        infersMapping = try Self.isOn(NSInferMappingModelAutomaticallyOption, options)
        allowsLosingValues =
            try options[OpenCoreDataAllowsLosingValuesOption] == nil || Self.isOn(OpenCoreDataAllowsLosingValuesOption, options)
        keepsBackup = try Self.isOn(OpenCoreDataMigrationBackupOption, options)
        modelFolders = try Self.urls(OpenCoreDataModelFoldersOption, options)
        vacuums = try Self.isOn(NSSQLiteManualVacuumOption, options)
        analyzes = try Self.isOn(NSSQLiteAnalyzeOption, options)
        forcesDestruction = try Self.isOn(NSPersistentStoreForceDestroyOption, options)
        timeout = try Self.seconds(NSPersistentStoreTimeoutOption, options)
        pragmas = try Self.texts(NSSQLitePragmasOption, options)
    }

    /// The settings that the store's engine needs.
    var settings: StoreSettings {
        var result = StoreSettings()
        result.isReadOnly = isReadOnly
        if let timeout { result.timeout = timeout }
        result.pragmas = pragmas
        result.ignoresVersioning = ignoresVersioning
        result.allowsForeignTriggers = allowsForeignTriggers
        result.allowsMirroredStores = allowsMirroredStores
        result.followsExternalLinks = followsExternalLinks
        result.tracksHistory = tracksHistory
        result.wantsMigration = wantsMigration
        result.vacuums = vacuums
        result.analyzes = analyzes
        result.forcesDestruction = forcesDestruction
        return result
    }

    // MARK: Types

    private static func isOn(_ key: String, _ options: [AnyHashable: Any]) throws -> Bool {
        guard let value = options[key] else { return false }
        guard let number = number(value), !number.isNaN else {
            throw failure(key, value, "true or false: a Bool, an integer or an NSNumber")
        }
        return number != 0
    }

    private static func seconds(_ key: String, _ options: [AnyHashable: Any]) throws -> TimeInterval? {
        guard let value = options[key] else { return nil }
        guard let seconds = number(value), seconds >= 0 else {
            throw failure(key, value, "a number of seconds that is not negative")
        }
        return seconds
    }

    private static func urls(_ key: String, _ options: [AnyHashable: Any]) throws -> [URL] {
        guard let value = options[key] else { return [] }
        if let urls = value as? [URL] { return urls }
        guard let url = value as? URL else { throw failure(key, value, "the URL of a folder, or an array of URLs") }
        return [url]
    }

    private static func texts(_ key: String, _ options: [AnyHashable: Any]) throws -> [String: String] {
        guard let value = options[key] else { return [:] }
        guard let values = value as? [String: Any] else {
            throw failure(key, value, "a dictionary of names and values, such as [\"journal_mode\": \"DELETE\"]")
        }
        return try Dictionary(
            uniqueKeysWithValues: values.map { name, value in
                guard value is String || value is NSString || number(value) != nil else {
                    throw failure("\(key), for the pragma “\(name)”,", value, "text or a number")
                }
                return (name, "\(value)")
            })
    }

    private static func number(_ value: Any) -> Double? {
        (value as? NSNumber)?.doubleValue ?? (value as? any BinaryInteger).map { Double($0) }
    }

    private static func failure(_ key: String, _ value: Any, _ expected: String) -> NSError {
        .coreData(
            NSCoreDataError, "The option \(key) needs \(expected). It has “\(value)”, which is of the type \(type(of: value))")
    }
}
