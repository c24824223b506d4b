import DataModel
import Foundation
import Storage

/// What can be done with the files of built-in atomic stores while they are closed.
///
/// Such a file is not locked while a store is open: a store that is open then refuses to save.
struct AtomicStoreFiles: StoreFiles {
    let type: String
    let format: any AtomicFormat

    func file(at url: URL) throws -> URL? { url.isFileURL && url.path != "/dev/null" ? url : nil }

    func metadata(of url: URL) throws -> [String: Any] {
        let file = try AtomicFile(url, type: type)
        let data = try file.requireContents()
        var metadata = try file.reading { try format.metadata(in: data) }
        metadata[StoreMetadata.typeKey] = type
        return metadata
    }

    func readCachedModel(of url: URL, into model: NSManagedObjectModel) throws {
        throw StoreKinds.unsupported(
            "The model of a store can't be read", type: type, reason: "their files have no copy of it")
    }

    func setMetadata(_ metadata: [String: Any], of url: URL, settings: StoreSettings) throws {
        let file = try AtomicFile(url, type: type)
        let data = try file.requireContents()
        let old = try file.reading { try format.metadata(in: data) }
        let given = metadata.filter { !StoreMetadata.reservedKeys.contains($0.key) }
        let kept = old.filter { StoreMetadata.reservedKeys.contains($0.key) }
        try file.write(file.saving { try format.replacingMetadata(given.merging(kept) { $1 }, in: data) })
    }

    func destroy(_ url: URL, settings: StoreSettings) throws {
        guard try self.file(at: url) != nil else {
            throw NSError.coreData(
                CocoaError.fileReadNoSuchFile.rawValue, "“\(url.path)” has no file", [NSFilePathErrorKey: url.path])
        }
        let file = try AtomicFile(url, type: type)
        guard let data = try file.contents() else { return }
        try requireStore(data, file)
        try file.empty()
    }

    func replace(_ url: URL, settings: StoreSettings, with source: URL, sourceSettings: StoreSettings) throws {
        let (file, source) = try (AtomicFile(url, type: type), AtomicFile(source, type: type))
        let data = try source.requireContents()
        try requireStore(data, source)
        if let old = try file.contents() { try requireStore(old, file) }
        try file.requireFolder()
        try file.write(data)
    }

    func requireNothing(at url: URL, settings: StoreSettings) throws {
        let file = try AtomicFile(url, type: type)
        guard try file.contents() != nil else { return }
        throw file.error(
            .fileWriteFileExists, "can't be the name of a copy: there is a file of this name. Destroy or remove that first")
    }

    func removeFiles(at url: URL, settings: StoreSettings) throws { try AtomicFile(url, type: type).remove() }

    private func requireStore(_ data: Data, _ file: AtomicFile) throws {
        _ = try file.reading { try format.metadata(in: data) }
    }
}
