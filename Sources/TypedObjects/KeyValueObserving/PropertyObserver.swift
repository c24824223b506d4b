import DataModel
import Foundation
import FoundationGaps
import ObjectGraph

/// Observes one key path of one object. If the path has several steps, it observes the properties on the way too.
// @unchecked Sendable: it is used on the queue of the object's context only. `end()` is the exception, and uses only what the
// lock guards.
final class PropertyObserver<Object: NSManagedObject, Value>: KeyValueObserver, @unchecked Sendable {
    private weak var object: Object?
    private let keyPath: KeyPath<Object, Value>
    private let options: NSKeyValueObservingOptions
    private let handler: (Object, NSKeyValueObservedChange<Value>) -> Void
    /// The stored names on the way. It is nil if the key path does not lead to a managed property.
    private let names: [String]?
    private var oldValue: Value?

    private let lock = NSLock()
    private var observed: [ObjectIdentifier] = []
    private var hasEnded = false

    init(
        _ object: Object, _ keyPath: KeyPath<Object, Value>, _ options: NSKeyValueObservingOptions,
        _ handler: @escaping (Object, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.object = object
        self.keyPath = keyPath
        self.options = options
        self.handler = handler
        names = KeyPathNames.storedPath(of: keyPath).map { $0.split(separator: ".").map(String.init) }
    }

    func begin() {
        attach()
        guard let object else { return }
        if options.contains(.old) { oldValue = value(object) }
        if options.contains(.initial) { tell(object, new: value(object), old: nil, isPrior: false) }
    }

    func end() {
        let objects = lock.withLock {
            hasEnded = true
            return observed
        }
        for object in objects { NSManagedObject.removeObserver(self, from: object) }
    }

    // MARK: What setters call

    func keepOldValue() {
        guard options.contains(.old), let object else { return }
        oldValue = value(object)
    }

    func tellPrior() {
        guard options.contains(.prior), let object, !isOver else { return }
        tell(object, new: nil, old: oldValue, isPrior: true)
    }

    func tellChange() {
        guard let object, !isOver else { return }
        if let names, names.count > 1 { attach() }
        let old = oldValue
        if options.contains(.old) { oldValue = value(object) }
        tell(object, new: value(object), old: old, isPrior: false)
    }

    private func tell(_ object: Object, new: @autoclosure () -> Value?, old: Value?, isPrior: Bool) {
        handler(
            object,
            NSKeyValueObservedChange(
                kind: .setting, newValue: options.contains(.new) && !isPrior ? new() : nil,
                oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: isPrior))
    }

    private var isOver: Bool { lock.withLock { hasEnded } }

    // MARK: The objects on the way

    private func attach() {
        guard let object else { return }
        let old = lock.withLock { observed }
        for object in old { NSManagedObject.removeObserver(self, from: object) }
        var found: [(object: NSManagedObject, slots: Set<Int>)] = []
        if let names {
            var next: NSManagedObject? = object
            for name in names {
                guard let current = next, let slot = current._slot(forKey: name) ?? current.compositeSlot(forKey: name) else {
                    break
                }
                found.append((current, [slot]))
                guard name != names.last, current.hasReadableValues else { break }
                next = current.value(forKey: name) as? NSManagedObject
            }
        } else if object.hasReadableValues {
            // The class computes the property, so it changes with the properties that it reads.
            found.append((object, object.slotsRead { _ = object[keyPath: keyPath] }))
        }
        if found.allSatisfy({ $0.slots.isEmpty }) {
            NSManagedObjectModel.reportOnce(
                "\(keyPath) of \(object.objectID) is observed, but it reads no property of the entity, so nothing will be told"
            )
        }
        let isOver = lock.withLock {
            observed = found.map { ObjectIdentifier($0.object) }
            return hasEnded
        }
        guard !isOver else { return }
        for (object, slots) in found { object.addObserver(self, slots: slots) }
    }

    /// The value. It is nil if reading it would stop the program.
    private func value(_ object: Object) -> Value? {
        guard object.hasReadableValues else { return nil }
        if let table = TypedTable.of(Object.self), let slot = table.index(of: keyPath),
            table.properties[slot].problem(in: object, slot) != nil
        {
            return nil
        }
        return object[keyPath: keyPath]
    }
}
