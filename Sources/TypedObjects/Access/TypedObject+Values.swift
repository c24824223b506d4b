import Foundation
import ObjectGraph

extension TypedObject {
    /// The value of a property, or an error that says why there is none: for required properties that may not have been set yet,
    /// and for stored values that this program may not know.
    ///
    /// ```swift
    /// // Movie.genre is “musical”, which is not a Genre, in <x-coredata://…>
    /// do { show(try movie.value(of: \.genre)) } catch { log(error) }
    /// ```
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameter keyPath: a key path to a property of the class; with more steps only the first one is checked. Anything but a
    ///   managed property is read as it is.
    /// - Throws: `PropertyValueError` where reading the property would stop the program, and where an optional property reads as
    ///   nil although something is stored. Its reason is `unreadable` where the store can't be read.
    public func value<Value>(of keyPath: KeyPath<Self, Value>) throws(PropertyValueError) -> Value {
        if let table = TypedTable.of(Self.self), let slot = table.index(of: keyPath) {
            let property = table.properties[slot]
            do {
                try loadForReading(slot)
            } catch {
                throw PropertyValueError(
                    self, storedName: property.storedName, type: property.type, reason: .unreadable(error.localizedDescription))
            }
            if let reason = property.problem(in: self, slot) {
                throw PropertyValueError(self, storedName: property.storedName, type: property.type, reason: reason)
            }
        }
        return self[keyPath: keyPath]
    }

    /// The value of a required property if it has one, else nil.
    ///
    /// ```swift
    /// movie.value(ifSet: \.title) ?? "untitled"
    /// ```
    ///
    /// A stored value that the type does not have counts as no value, too; ``value(of:)`` tells the two apart. Call it on the
    /// context's queue.
    ///
    /// - Parameter keyPath: a key path to a property of the class.
    public func value<Value>(ifSet keyPath: KeyPath<Self, Value>) -> Value? { try? value(of: keyPath) }

    /// The value of an optional property.
    public func value<Value>(ifSet keyPath: KeyPath<Self, Value?>) -> Value? { try? value(of: keyPath) }
}

extension _TypedProperty {
    /// Why an object has no value; nil if it has one, or does without.
    func problem(in object: NSManagedObject, _ slot: Int) -> PropertyValueError.Reason? {
        switch kind {
        case .attribute(let attribute): attribute.problem(object, slot)
        case .relationship(let relationship):
            relationship.isToMany || isOptional || object._toOne(slot) != nil ? nil : .missing
        case .fetched: nil
        }
    }
}
