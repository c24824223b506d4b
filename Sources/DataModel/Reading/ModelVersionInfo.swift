import Foundation
import FoundationGaps

/// What `VersionInfo.plist` says of the versions in a folder of compiled models.
struct ModelVersionInfo {
    static let fileName = "VersionInfo.plist"
    static let currentVersionKey = "NSManagedObjectModel_CurrentVersionName"
    static let hashesKey = "NSManagedObjectModel_VersionHashes"
    static let checksumsKey = "NSManagedObjectModel_VersionChecksums"

    /// The name of the current version, without extension.
    let currentVersion: String?
    /// The version hashes of entities, by version and entity.
    let hashes: [String: [String: Data]]
    /// The checksum of each version, as newer compilers write it.
    let checksums: [String: String]

    /// Nil if the folder has no such file.
    ///
    /// - Throws: An `NSError` of `NSCocoaErrorDomain` if there is one that can't be read.
    init?(in folder: URL) throws {
        let file = folder.appendingPathComponent(Self.fileName)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let content = PropertyListBytes.value(try Data(contentsOf: file)) as? [String: Any] else {
            throw ModelProblem.error(
                [ModelProblem("it is not a property list")], in: file, code: CocoaError.Code.fileReadCorruptFile.rawValue)
        }
        currentVersion = content[Self.currentVersionKey] as? String
        hashes = (content[Self.hashesKey] as? [String: Any] ?? [:]).compactMapValues { $0 as? [String: Data] }
        checksums = (content[Self.checksumsKey] as? [String: Any] ?? [:]).compactMapValues { $0 as? String }
    }

    init(currentVersion: String?, hashes: [String: [String: Data]], checksums: [String: String]) {
        (self.currentVersion, self.hashes, self.checksums) = (currentVersion, hashes, checksums)
    }

    /// The content of the file.
    func data() throws -> Data {
        var content: [String: Any] = [Self.hashesKey: hashes]
        content[Self.currentVersionKey] = currentVersion
        if !checksums.isEmpty { content[Self.checksumsKey] = checksums }
        return try PropertyListSerialization.data(fromPropertyList: content, format: .binary, options: 0)
    }
}
