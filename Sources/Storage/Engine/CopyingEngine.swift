package import Foundation

/// An engine that copies its store faster, or more faithfully, than row by row.
package protocol CopyingEngine: StorageEngine {
    /// Makes a copy of the open store, with its keys, its external values and its metadata, and with a UUID of its own.
    func copy(to url: URL, settings: StoreSettings) throws
}
