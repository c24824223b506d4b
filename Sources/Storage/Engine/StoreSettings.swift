package import Foundation

/// How a store is opened and used: the options of Core Data's API, read and checked.
package struct StoreSettings: Sendable {
    /// Opens an existing store without the right to change it; saving fails.
    package var isReadOnly = false
    /// SQLite pragmas to set, by name. Those that shape a file (`page_size`, `auto_vacuum`) matter for new files only.
    package var pragmas: [String: String] = [:]
    /// How long to wait for another connection's lock, in seconds.
    package var timeout: TimeInterval = 10
    /// Opens the file even if its entities differ from the model's; all tables and columns that the model needs must be
    /// there.
    package var ignoresVersioning = false
    /// Saves to a file with triggers that Core Data has not made.
    package var allowsForeignTriggers = false
    /// Saves to a file that Apple's framework mirrors with CloudKit.
    package var allowsMirroredStores = false
    /// Follows symbolic links in the place of the folders and files of external data.
    package var followsExternalLinks = false
    /// Keeps a history of what is saved. A store that already has one continues it in any case.
    package var tracksHistory = false
    /// Is migrated if its model is another one: then one with the same tables is refused, too.
    package var wantsMigration = false
    /// Returns unused space to the system when the store is opened.
    package var vacuums = false
    /// Renews the statistics for planning queries when the store is opened.
    package var analyzes = false
    /// Destroys a store that is damaged or in use, too.
    package var forcesDestruction = false

    package init() {}
}
