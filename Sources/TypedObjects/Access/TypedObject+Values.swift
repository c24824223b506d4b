import Foundation
import ObjectGraph

extension TypedObject {
    /// The value of a property, or an error that says why there is none. Use it for required properties that may not have been
    /// set yet, and for stored values that this program may not know.
    ///
    /// ```swift
    /// // Movie.genre is “musical”, which is not a Genre, in <x-coredata://…>
    /// do { show(try movie.value(of: \.genre)) } catch { log(error) }
    /// ```
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameter keyPath: A key path to a property of the class. If it has several steps, only the first one is checked. A
    ///   property that is not managed is read without a check.
    /// - Throws: A `PropertyValueError` if reading the property would stop the program, or if an optional property reads as nil
    ///   although a value is stored. Its reason is `unreadable` if the store can't be read.
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

    /// The value of a required property, or nil if it has none.
    ///
    /// ```swift
    /// movie.value(ifSet: \.title) ?? "untitled"
    /// ```
    ///
    /// The result is also nil if a value is stored that the type does not know. ``value(of:)`` tells the two cases apart. Call it
    /// on the context's queue.
    ///
    /// - Parameter keyPath: A key path to a property of the class.
    public func value<Value>(ifSet keyPath: KeyPath<Self, Value>) -> Value? { try? value(of: keyPath) }

    /// The value of an optional property, or nil if it has none or one that the type does not know.
    public func value<Value>(ifSet keyPath: KeyPath<Self, Value?>) -> Value? { try? value(of: keyPath) }
}

extension _TypedProperty {
    /// Why an object has no value for the property. It is nil if the object has a value, or needs none.
    func problem(in object: NSManagedObject, _ slot: Int) -> PropertyValueError.Reason? {
        switch kind {
        case .attribute(let attribute): attribute.problem(object, slot)
        case .relationship(let relationship):
            relationship.isToMany || isOptional || object._toOne(slot) != nil ? nil : .missing
        case .fetched: nil
        }
    }
}
