import DataModel
import Foundation
import Storage

/// Binary values whose file could not be read when the object was loaded. They count as nil until they are read again.
/// Reading one tries its file again.
extension NSManagedObject {
    /// The file of an attribute's value, if it could not be read.
    final func unreadFile(_ slot: Int) -> UUID? {
        guard layout.kind(slot) == .binary, let row else { return nil }
        return Row.unreadFile(row.slots, slot)
    }

    /// Reads a value for an accessor.
    final func externalValue(_ slot: Int, _ file: UUID) -> Data? {
        guard let context else { return nil }
        do {
            return try readExternalValue(slot, file)
        } catch {
            context.note(ReadingFailure(self, property: layout.slots[slot].name, error)) {}
            return nil
        }
    }

    /// - Throws: ``ReadingFailure`` for the first value that can't be read.
    final func requireExternalValues() throws {
        for slot in layout.binarySlots {
            guard let file = unreadFile(slot) else { continue }
            do { _ = try readExternalValue(slot, file) } catch {
                throw ReadingFailure(self, property: layout.slots[slot].name, error)
            }
        }
    }

    private final func readExternalValue(_ slot: Int, _ file: UUID) throws -> Data? {
        guard let data = try registry.store?.store?.externalValue(file) else { return nil }
        context?.reading.forget(self, layout.slots[slot].name)
        return data
    }
}

extension NSManagedObjectContext {
    /// Forgets failures for values that have been replaced since.
    final func forgetReplacedValues() {
        for failure in reading.failures {
            guard let name = failure.propertyName, let object = registeredObject(for: failure.objectID),
                let slot = object.layout.slotByName[name], object.layout.kind(slot) == .binary, object.unreadFile(slot) == nil
            else { continue }
            reading.forget(object, name)
        }
    }
}
