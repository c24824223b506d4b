import DataModel
import Foundation
import ObjectGraph
import Predicates

extension NSManagedObjectContext {
    /// Sort descriptors by which a store can sort. The result is nil if one of them works only in memory.
    func storedOrder<Object: NSManagedObject>(_ descriptors: [SortDescriptor<Object>]) -> [NSSortDescriptor]? {
        let stored = descriptors.compactMap(storedDescriptor)
        return stored.count == descriptors.count ? stored : nil
    }

    /// Sort descriptors by which a store can sort.
    ///
    /// - Throws: 134060 if one of them works only in memory.
    func requiredOrder<Object: NSManagedObject>(_ descriptors: [SortDescriptor<Object>]) throws -> [NSSortDescriptor] {
        try descriptors.map { descriptor in
            if let stored = storedDescriptor(descriptor) { return stored }
            let name = descriptor.keyPath.map { "\($0)" } ?? "a comparison"
            throw NSError.coreData(
                NSCoreDataError,
                "\(Object.self) can't be sorted by \(name) in a store: sort by a stored number, date or text in its own order, or by a key"
            )
        }
    }

    private func storedDescriptor<Object: NSManagedObject>(_ descriptor: SortDescriptor<Object>) -> NSSortDescriptor? {
        guard let keyPath = descriptor.keyPath, StoredOrder.isStores(descriptor.stringComparator),
            StoredOrder.isStores(type(of: keyPath).valueType),
            let name = KeyPathNames.storedPath(of: keyPath),
            let attribute = property(at: name, of: Object.self) as? NSAttributeDescription,
            StoredOrder.types.contains(attribute.attributeType)
        else { return nil }
        return NSSortDescriptor(key: name, ascending: descriptor.order == .forward)
    }
}

/// The types and comparisons for which a store's order is the order of the Swift values.
private enum StoredOrder {
    /// The types of attributes whose stored values have the same order as the Swift values.
    static let types: Set<NSAttributeType> = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType, .floatAttributeType,
        .decimalAttributeType, .dateAttributeType, .stringAttributeType,
    ]

    /// The Swift types that compare like their stored values. Other types may compare in another way, for example an enumeration
    /// by its cases.
    private static let valueTypes: Set<ObjectIdentifier> = {
        let types: [Any.Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self, Double.self,
            Float.self,
            Decimal.self, Date.self, String.self, Int?.self, Int8?.self, Int16?.self, Int32?.self, Int64?.self, UInt8?.self,
            UInt16?.self,
            UInt32?.self, Double?.self, Float?.self, Decimal?.self, Date?.self, String?.self,
        ]
        return Set(types.map(ObjectIdentifier.init))
    }()

    static func isStores(_ type: Any.Type) -> Bool { valueTypes.contains(ObjectIdentifier(type)) }

    /// Whether a store can compare texts like this. Nil is the comparison of the values themselves.
    static func isStores(_ comparator: String.StandardComparator?) -> Bool {
        guard var comparator else { return true }
        comparator.order = .forward
        return comparator == .lexical
    }
}
