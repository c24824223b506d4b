import DataModel

/// A set of slots: one word, and more only for entities with over 64 slots.
package struct SlotMask: Hashable, Sendable {
    package private(set) var low: UInt64 = 0
    private var high: [UInt64] = []

    package init() {}

    package var isEmpty: Bool { low == 0 && !high.contains { $0 != 0 } }

    @inline(__always) package func contains(_ slot: Int) -> Bool {
        if slot < 64 { return low >> UInt64(slot) & 1 != 0 }
        let word = slot >> 6 - 1
        return word < high.count && high[word] >> UInt64(slot & 63) & 1 != 0
    }

    @inline(__always) package mutating func insert(_ slot: Int) {
        if slot < 64 { low |= 1 << UInt64(slot) } else { insertHigh(slot) }
    }

    private mutating func insertHigh(_ slot: Int) {
        let word = slot >> 6 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(slot & 63)
    }

    /// Adds the slots `64 * index ..< 64 * (index + 1)` whose bit is set in `word`.
    package mutating func insert(word: UInt64, at index: Int) {
        guard index > 0 else {
            low |= word
            return
        }
        guard word != 0 else { return }
        while high.count < index { high.append(0) }
        high[index - 1] |= word
    }

    package mutating func remove(_ slot: Int) {
        guard contains(slot) else { return }
        if slot < 64 {
            low &= ~(1 << UInt64(slot))
        } else {
            high[slot >> 6 - 1] &= ~(1 << UInt64(slot & 63))
            // Equal sets have equal words.
            while high.last == 0 { high.removeLast() }
        }
    }

    package mutating func formUnion(_ other: SlotMask) {
        low |= other.low
        for (index, word) in other.high.enumerated() where word != 0 {
            while high.count <= index { high.append(0) }
            high[index] |= word
        }
    }
}

/// Its slots, ascending.
extension SlotMask: Sequence {
    package struct Iterator: IteratorProtocol {
        /// What is left of the current word.
        private var word: UInt64
        private var start = 0
        private var rest: ArraySlice<UInt64>

        fileprivate init(_ low: UInt64, _ high: [UInt64]) {
            word = low
            rest = high[...]
        }

        @inline(__always) package mutating func next() -> Int? {
            while word == 0 {
                guard let following = rest.popFirst() else { return nil }
                word = following
                start += 64
            }
            defer { word &= word - 1 }
            return start + word.trailingZeroBitCount
        }
    }

    @inline(__always) package func makeIterator() -> Iterator { Iterator(low, high) }
}
