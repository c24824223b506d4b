import DataModel
public import Foundation
import Predicates
import Storage

/// The primitives of typed accessors: a property by its slot number, without a name look-up and without `Any`.
///
/// Called by code that the typed layer's macros generate. A reader other than `_isNil` needs a slot of its kind that is
/// not nil. The typed layer checked the kinds when the model came into use.
extension NSManagedObject {
    /// The loaded slots: fires the fault.
    @inlinable @inline(__always) final var _loadedSlots: UnsafeMutablePointer<UInt64> {
        if let slots = _slots { return slots }
        return fireFault()
    }

    /// The loaded slots, for reading one of them.
    @inlinable @inline(__always) final func _loadedSlots(reading slot: Int) -> UnsafeMutablePointer<UInt64> {
        if let slots = _slots { return slots }
        return fireFault(reading: slot)
    }

    /// Whether the property has no value. Fires the fault.
    @inlinable @inline(__always) public final func _isNil(_ slot: Int) -> Bool {
        _loadedSlots(reading: slot)[-1 - (slot >> 6)] >> UInt64(truncatingIfNeeded: slot & 63) & 1 != 0
    }

    /// An integer or a boolean.
    @inlinable @inline(__always) public final func _integer(_ slot: Int) -> Int64 {
        Int64(bitPattern: _loadedSlots(reading: slot)[slot])
    }

    /// An integer or a boolean, if there is one.
    @inlinable @inline(__always) public final func _integerIfSet(_ slot: Int) -> Int64? {
        let slots = _loadedSlots(reading: slot)
        let isNil = slots[-1 - (slot >> 6)] >> UInt64(truncatingIfNeeded: slot & 63) & 1 != 0
        return isNil ? nil : Int64(bitPattern: slots[slot])
    }

    /// A double, a float or a date's seconds since the reference date, if there is one.
    @inlinable @inline(__always) public final func _doubleIfSet(_ slot: Int) -> Double? {
        _integerIfSet(slot).map { Double(bitPattern: UInt64(bitPattern: $0)) }
    }

    /// A string, or a URL's absolute string.
    @inlinable @inline(__always) public final func _string(_ slot: Int) -> String {
        let slots = _loadedSlots(reading: slot)
        let word = slots[slot]
        // The word is a `SlotWord`: a boxed bit, 31 bits of length, 32 bits of offset.
        let base = UnsafeRawPointer(slots) + Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
        if word >> 63 != 0 { return base.assumingMemoryBound(to: String.self).pointee }
        return String(decoding: UnsafeRawBufferPointer(start: base, count: Int(truncatingIfNeeded: word >> 32)), as: UTF8.self)
    }

    /// Binary data, if there is any.
    public final func _dataIfSet(_ slot: Int) -> Data? {
        guard _isNil(slot) else { return _data(slot) }
        return unreadFile(slot).flatMap { externalValue(slot, $0) }
    }

    /// Binary data.
    public final func _data(_ slot: Int) -> Data { Row.data(_loadedSlots(reading: slot), slot) }
    /// A UUID.
    public final func _uuid(_ slot: Int) -> UUID { Row.uuid(_loadedSlots(reading: slot), slot) }
    /// A decimal.
    public final func _decimal(_ slot: Int) -> Decimal { Row.decimal(_loadedSlots(reading: slot), slot) }

    /// The value of any attribute, as key-value coding gives it.
    public final func _object(_ slot: Int) -> Any? {
        _ = _loadedSlots(reading: slot)
        return attributeValue(slot)
    }

    // MARK: Writing

    /// The slots of the object's draft, with the property noted as changed.
    @inlinable @inline(__always) final func _prepareWrite(_ slot: Int) -> UnsafeMutablePointer<UInt64> {
        if slot < 64, _state.contains(.writable), let slots = _slots {
            _changed |= 1 &<< UInt64(truncatingIfNeeded: slot)
            return slots
        }
        return beginWrite(slot)
    }

    /// Sets an integer or a boolean.
    @inlinable @inline(__always) public final func _setInteger(_ slot: Int, _ value: Int64) {
        _setBits(slot, UInt64(bitPattern: value))
    }

    /// Sets a double, a float or a date's seconds since the reference date.
    @inlinable @inline(__always) public final func _setDouble(_ slot: Int, _ value: Double) { _setBits(slot, value.bitPattern) }

    @inlinable @inline(__always) final func _setBits(_ slot: Int, _ bits: UInt64) {
        guard slot < 64, _state.contains(.writable), let slots = _slots else { return setBitsAtFirst(slot, bits) }
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
        _changed |= bit
        slots[slot] = bits
        slots[-1] &= ~bit
    }

    /// Sets a string, or a URL's absolute string.
    public final func _setString(_ slot: Int, _ value: String) {
        write(slot) { $0.setString(slot, value) }
    }

    /// Sets binary data.
    public final func _setData(_ slot: Int, _ value: Data) {
        write(slot) { $0.setData(slot, value) }
    }

    /// Sets a UUID.
    public final func _setUUID(_ slot: Int, _ value: UUID) {
        write(slot) { $0.setUUID(slot, value) }
    }

    /// Sets a decimal, with as many digits as a store keeps.
    public final func _setDecimal(_ slot: Int, _ value: Decimal) {
        write(slot) { $0.setBoxed(slot, layout.slots[slot].isPersistent ? value.asStored : value) }
    }

    /// Sets any attribute from a value as key-value coding takes it. Stops the program for a value of a wrong type. A
    /// number that the attribute can't hold is refused when the object is saved.
    public final func _setObject(_ slot: Int, _ value: Any?) {
        guard let value else { return _setNil(slot) }
        _ = _prepareWrite(slot)
        put(value, slot)
        if _state.contains(.isObserved) { didChangeObserved(slot) }
    }

    /// Puts a value into the draft.
    final func put(_ value: Any, _ slot: Int) {
        switch row.map({ SlotCoding.store(value, in: $0, slot: slot) }) {
        case .stored: break
        case .unfit(let number): UnfitValues.note(number, self, slot: slot)
        case .wrongType, nil: unacceptable(value, slot: slot)
        }
    }

    /// Sets the value to nil.
    public final func _setNil(_ slot: Int) {
        write(slot) { $0.setNil(slot) }
    }

    // MARK: Names

    /// The slot of a property by its name in the model; nil if the entity has no such property.
    public final func _slot(forKey name: String) -> Int? { layout.slotByName[name] }

    /// Tells apart the layouts of different entities and models: a slot number is valid only for objects with the same
    /// layout.
    @inlinable @inline(__always) public final var _layoutID: UInt32 { registry.record.pointee.layoutID }

    // MARK: Slow paths

    /// Writes into the draft.
    @inline(__always) private final func write(_ slot: Int, _ body: (Row) -> Void) {
        _ = _prepareWrite(slot)
        if let row { body(row) }
        if _state.contains(.isObserved) { didChangeObserved(slot) }
    }

    @usableFromInline @inline(never) final func setBitsAtFirst(_ slot: Int, _ bits: UInt64) {
        let slots = slot < 64 ? beginWrite(slot) : _prepareWrite(slot)
        Row.setScalar(slots, slot, bits)
        if _state.contains(.isObserved) { didChangeObserved(slot) }
    }

    /// Notes a change: loads the object, gives it a draft, and informs the context.
    @usableFromInline @inline(never) final func beginWrite(_ slot: Int) -> UnsafeMutablePointer<UInt64> {
        if _state.contains(.hasUnfitValues) { UnfitValues.forget(self, slot: slot) }
        // This comes first, because observers may change anything.
        if !_state.contains(.awakening) { prepareChange(slot) }
        let slots = makeDraftIfNeeded()
        guard !_state.contains(.awakening) else { return slots }
        markChanged(slot)
        noteChange()
        return slots
    }

    /// Loads the object and gives it a draft of its own, without noting a change.
    @discardableResult
    final func makeDraftIfNeeded() -> UnsafeMutablePointer<UInt64> {
        let slots = _loadedSlots
        guard !_state.contains(.draft), let current = row else { return slots }
        let draft = current.makeDraft()
        snapshot = current
        row = draft
        _slots = draft.slots
        _state.insert(.draft)
        return draft.slots
    }

    final func markChanged(_ slot: Int) {
        if slot < 64 {
            _changed |= 1 << UInt64(slot)
        } else {
            let word = slot >> 6 - 1
            while changedBeyond64.count <= word { changedBeyond64.append(0) }
            changedBeyond64[word] |= 1 << UInt64(slot & 63)
        }
    }

    /// Informs the context that the object changed in this event. From now on writes to a draft are fast.
    final func noteChange() {
        guard !_state.contains(.image) else {
            fatalError(
                "\(type(of: self)).\(objectID) can't be changed while its earlier values are read: change the object itself")
        }
        context?.noteUpdated(self)
        if _state.contains(.draft), _state.isDisjoint(with: [.isTracked, .hasUnfitValues]),
            !_state.isDisjoint(with: [.eventInserted, .eventUpdated])
        {
            _state.insert(.writable)
        }
    }

    final func unacceptable(_ value: Any, slot: Int) -> Never {
        let property = layout.slots[slot]
        fatalError(
            "Unacceptable type of value for attribute: property = \"\(property.name)\" of entity \"\(layout.name)\"; desired type = "
                + "\(SlotCoding.className(property.attributeType)); given type = \(type(of: value)); value = \(value)")
    }
}
