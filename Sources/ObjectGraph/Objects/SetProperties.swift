import Storage

/// The properties of a new object that were set at one moment, and its values then. For the code that `@Entity`
/// generates.
public struct _SetProperties {
    fileprivate let changed: UInt64
    fileprivate let changedBeyond64: [UInt64]
    /// The initial values, if each object computes its own; nil if they are the model's.
    fileprivate let own: Row?
}

extension NSManagedObject {
    /// The properties that were set so far.
    public final var _setProperties: _SetProperties {
        let computesOwn = registry.runtime.initialValues[layout.index] != nil
        return _SetProperties(changed: _changed, changedBeyond64: changedBeyond64, own: computesOwn ? row?.makeDraft() : nil)
    }

    /// Unmarks properties that have the same value as at the earlier moment, except those that were set before it.
    public final func _forgetDefaults(since earlier: _SetProperties) {
        let defaults = earlier.own ?? registry.runtime.templates[layout.index]
        forgetDefaults(_changed & ~earlier.changed, from: 0, defaults)
        guard !changedBeyond64.isEmpty else { return }
        for (index, word) in changedBeyond64.enumerated() {
            let known = index < earlier.changedBeyond64.count ? earlier.changedBeyond64[index] : 0
            forgetDefaults(word & ~known, from: 64 * (index + 1), defaults)
        }
    }

    /// - Parameter word: The slots to look at, one bit each, from `first` on.
    private final func forgetDefaults(_ word: UInt64, from first: Int, _ defaults: Row) {
        guard word != 0, let row else { return }
        let (old, new) = (defaults.slots, row.slots)
        var rest = word
        while rest != 0 {
            let slot = first + rest.trailingZeroBitCount
            rest &= rest - 1
            // In most cases there was no value, and one was passed.
            guard Row.isNil(old, slot) == Row.isNil(new, slot) else { continue }
            switch layout.kind(slot) {
            case .toOne, .toMany, .entityIndex, .vacant: continue
            default: if !differs(slot, defaults, row) { unmark(slot) }
            }
        }
    }
}
