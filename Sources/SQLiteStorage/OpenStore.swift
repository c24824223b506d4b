import DataModel
import Foundation

/// Everything that an engine has while its file is open.
final class OpenStore {
    let location: StoreLocation
    let connection: Connection
    let mapping: StoreMapping
    let schema: FileSchema
    let externalData: ExternalData
    let fetches: FetchCache
    let writes: WriteCache
    /// Whether there was a save already.
    var hasSaved = false

    init(_ location: StoreLocation, _ connection: Connection, _ mapping: StoreMapping, _ schema: FileSchema) {
        self.location = location
        self.connection = connection
        self.mapping = mapping
        self.schema = schema
        externalData = ExternalData(store: location.url)
        fetches = FetchCache(connection, mapping, externalData: externalData)
        writes = WriteCache(connection, mapping)
    }
}
