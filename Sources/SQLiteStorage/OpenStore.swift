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
    /// What computes the derived attributes that the file's triggers don't keep.
    let derivedValues: DerivedValues?
    /// Whether there was a save already.
    var hasSaved = false

    init(
        _ location: StoreLocation, _ connection: Connection, _ mapping: StoreMapping, _ schema: FileSchema,
        _ externalData: ExternalData, _ derivedValues: DerivedValues? = nil
    ) {
        self.location = location
        self.connection = connection
        self.mapping = mapping
        self.schema = schema
        self.derivedValues = derivedValues
        self.externalData = externalData
        fetches = FetchCache(connection, mapping, externalData: externalData)
        writes = WriteCache(connection, mapping)
    }
}
