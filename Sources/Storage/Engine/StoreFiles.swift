package import DataModel
package import Foundation

/// What can be done with the files of one kind of stores while they are closed.
///
/// - Throws: Each function throws `NSError`s as Core Data's API has them. What is not a store of the kind is left as it
///   is.
package protocol StoreFiles: Sendable {
    /// The file of a store with a URL; nil if such a store is in memory, so that it can't be opened again by that URL.
    func file(at url: URL) throws -> URL?

    /// The metadata of a store, without a model.
    func metadata(of url: URL) throws -> [String: Any]

    /// Fills an empty model from the copy of a model that a store keeps.
    func readCachedModel(of url: URL, into model: NSManagedObjectModel) throws

    /// Writes what the application may change of a store's metadata.
    func setMetadata(_ metadata: [String: Any], of url: URL, settings: StoreSettings) throws

    /// Empties a store, with its external values. A file that does not exist is left alone.
    func destroy(_ url: URL, settings: StoreSettings) throws

    /// Puts a copy of a store in the place of another one, or where none is: all or nothing.
    func replace(_ url: URL, settings: StoreSettings, with source: URL, sourceSettings: StoreSettings) throws

    /// Refuses a place where something is, unless it is a store that was destroyed.
    func requireNothing(at url: URL, settings: StoreSettings) throws

    /// Removes the files of a store that was just made, and that is not known elsewhere.
    func removeFiles(at url: URL, settings: StoreSettings) throws

    /// See `InPlaceMigration.swift`.
    var migration: (any InPlaceMigration)? { get }
}
