public import Foundation
public import ObjectGraph

extension _TypedSchema {
    /// Adds a fetched property. The parameters are those of ``FetchedProperty(_:storedName:sortedBy:limit:)``.
    public mutating func add<Destination: NSManagedObject>(
        fetched name: String, _ type: [Destination].Type, storedName: String? = nil, format: String? = nil,
        sortedBy sortDescriptors: [NSSortDescriptor] = [], limit: Int = 0
    ) {
        let fetch = TypedFetch(
            destination: Destination.self, format: format, sortDescriptors: sortDescriptors, limit: limit)
        _append(
            _TypedProperty(name: name, storedName: storedName ?? name, type: type, isOptional: true, kind: .fetched(fetch)))
    }
}
