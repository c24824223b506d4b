import Foundation

extension NSManagedObjectID: Codable {
    /// Encodes the URI.
    ///
    /// - Throws: `EncodingError` for the ID of an object that was never saved, because such an ID can't be found again.
    public func encode(to encoder: any Encoder) throws {
        let id = isTemporaryID ? successor ?? self : self
        guard !id.isTemporaryID else {
            let text = "\(self) is the ID of an object that was never saved, so it can't be found again: save the object first"
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: text))
        }
        var container = encoder.singleValueContainer()
        try container.encode(id.uriRepresentation().absoluteString)
    }

    /// Decodes a URI. May be called on every thread.
    ///
    /// - Throws: `DecodingError` if no coordinator of the program has the store that it names, or the entity.
    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = URL(string: text).flatMap(CoordinatorList.managedObjectID) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(text.prefix(200))” does not name an object of an open store")
        }
        self.init(runtime: id.runtime, entityIndex: id.entityIndex, key: id.key, store: id.storeReference)
    }

    package var objectClass: NSManagedObject.Type { runtime.classes[entityIndex] }
}
