public import Foundation

/// How a container opens a store.
// @unchecked Sendable: a description is set up by one thread; containers and coordinators work on copies that don't
// change.
open class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
    /// The type; `NSSQLiteStoreType` by default.
    public final var type = NSSQLiteStoreType
    /// The configuration whose entities the store holds; nil for all.
    public final var configuration: String?
    /// The file; nil for a store in memory.
    public final var url: URL?
    /// The options, by key.
    public private(set) final var options: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]
    /// Whether the store is opened on another thread while the program goes on. False by default.
    public final var shouldAddStoreAsynchronously = false

    /// Makes a description of an SQLite store.
    ///
    /// - Parameter url: The file.
    public init(url: URL) {
        self.url = url
        super.init()
    }

    /// Makes a description of an SQLite store in memory (at `/dev/null`).
    public override convenience init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

    /// Sets an option, or removes it with nil.
    public final func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

    private final func isOn(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

    /// Whether a store that was made with another model is migrated when it is opened. True by default.
    public final var shouldMigrateStoreAutomatically: Bool {
        get { isOn(NSMigratePersistentStoresAutomaticallyOption) }
        set { options[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: newValue) }
    }

    /// Whether migration finds out by itself what has changed in the model, where there is no mapping model. True by default.
    public final var shouldInferMappingModelAutomatically: Bool {
        get { isOn(NSInferMappingModelAutomaticallyOption) }
        set { options[NSInferMappingModelAutomaticallyOption] = NSNumber(value: newValue) }
    }

    /// Whether a migration may drop values that the newer model has no place for. True by default, as with Apple's framework,
    /// which drops them without a word; here standard error names them.
    ///
    /// If it is false, such a store stays as it is, and the error names what would be lost, and what may be a property that was
    /// renamed. Not in Apple's framework.
    public final var allowsLosingValues: Bool {
        get { options[OpenCoreDataAllowsLosingValuesOption] == nil || isOn(OpenCoreDataAllowsLosingValuesOption) }
        set { options[OpenCoreDataAllowsLosingValuesOption] = NSNumber(value: newValue) }
    }

    /// Whether a copy of the store is kept before it is migrated. False by default. Not in Apple's framework.
    ///
    /// The copy of `Cinema.sqlite` is `Cinema-before-migration.sqlite` in the same folder, or
    /// `Cinema-before-migration-2.sqlite` if there is one already. It is a store with all that belongs to it. Nothing
    /// removes it.
    public final var keepsBackupOfMigratedStore: Bool {
        get { isOn(OpenCoreDataMigrationBackupOption) }
        set { options[OpenCoreDataMigrationBackupOption] = NSNumber(value: newValue) }
    }

    /// Whether the store refuses to save. False by default.
    public final var isReadOnly: Bool {
        get { isOn(NSReadOnlyPersistentStoreOption) }
        set { options[NSReadOnlyPersistentStoreOption] = NSNumber(value: newValue) }
    }

    /// How many seconds to wait for another process that has the store locked. 240 by default.
    public final var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
    }

    /// The SQLite pragmas that are set when the store is opened.
    public final var sqlitePragmas: [String: NSObject] {
        (options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
    }

    /// Sets an SQLite pragma, or removes it with nil.
    public final func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        options[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
    }

    /// A separate description with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription(url: url ?? URL(fileURLWithPath: "/dev/null"))
        copy.url = url
        copy.type = type
        copy.configuration = configuration
        copy.options = options
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        return copy
    }
}
