import DataModel
import Foundation
import Storage

/// Gives a batch insert the values of one row after the other, from any form of the request.
final class BatchSource {
    typealias Values = BatchScratch.Values

    private let request: NSBatchInsertRequest
    private let values: BatchValues
    private let scratch: BatchScratch
    private let template: Row
    private var index = 0

    private var entity: EntityLayout { values.entity }

    /// - Throws: 134060 for a request without a source of rows.
    init(_ request: NSBatchInsertRequest, _ batch: Batch, _ values: BatchValues) throws {
        guard request.objectsToInsert != nil || request.dictionaryHandler != nil || request.objectHandler != nil else {
            throw values.failure("the request has neither objectsToInsert nor a handler")
        }
        self.request = request
        self.values = values
        template = batch.runtime.templates[batch.entity.index]
        scratch = BatchScratch(batch)
    }

    /// Nil at the end.
    func next() throws -> Values? {
        if let objects = request.objectsToInsert {
            guard index < objects.count else { return nil }
            defer { index += 1 }
            return try values(of: objects[index])
        }
        if let handler = request.dictionaryHandler {
            let dictionary = NSMutableDictionary()
            return handler(dictionary) ? nil : try values(of: dictionary)
        }
        guard let handler = request.objectHandler else { return nil }
        return try scratch.values(values) { try !handler($0) }
    }

    // MARK: Dictionaries

    private func values(of dictionary: NSMutableDictionary) throws -> Values {
        var result: [String: Any] = [:]
        for (key, value) in dictionary {
            guard let name = key as? String else { throw values.failure("the key \(key) is not the name of a property") }
            result[name] = value
        }
        return try values(of: result)
    }

    private func values(of dictionary: [String: Any]) throws -> Values {
        let hasComputedValues = values.runtime.initialValues[entity.index] != nil
        let row = (hasComputedValues ? scratch.computedRow(entity) : nil) ?? template.makeDraft()
        var given = SlotMask()
        for (name, value) in dictionary {
            for slot in try values.set(name, value, in: row) { given.insert(slot) }
        }
        return Values(row: row, given: given)
    }
}

extension NSBatchInsertRequest {
    fileprivate var objectHandler: ((NSManagedObject) throws -> Bool)? { throwingHandler ?? managedObjectHandler }
}
