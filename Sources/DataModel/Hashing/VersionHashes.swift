package import Foundation

/// What is computed from the version hashes of all entities, as store-format.md §2.2 gives it.
package enum VersionHashes {
    /// The key of the hashes in a store's metadata.
    package static let metadataKey = "NSStoreModelVersionHashes"

    /// The value of `NSStoreModelVersionChecksumKey`.
    package static func checksum(of hashes: [String: Data]) -> String {
        SHA256.hash(sorted(hashes).reduce(into: Data()) { $0.append($1.value) }).base64EncodedString()
    }

    /// The value of `NSStoreModelVersionHashesDigest`.
    package static func digest(of hashes: [String: Data]) -> String {
        let bytes = sorted(hashes).reduce(into: Data()) {
            $0.append(contentsOf: $1.key.utf8)
            $0.append($1.value)
        }
        return SHA512.hash(bytes).base64EncodedString()
    }

    // UTF-8 order is code point order, which the format asks for.
    private static func sorted(_ hashes: [String: Data]) -> [(key: String, value: Data)] {
        hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
