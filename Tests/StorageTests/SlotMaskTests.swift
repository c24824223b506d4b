import Testing

@testable import Storage

@Suite("Slot masks")
struct SlotMaskTests {
    @Test("Slots are in or out, beyond 64 too", arguments: [0, 1, 63, 64, 65, 127, 128, 500])
    func membership(_ slot: Int) {
        var mask = SlotMask()
        #expect(mask.isEmpty && !mask.contains(slot))
        mask.insert(slot)
        #expect(mask.contains(slot) && !mask.isEmpty)
        for other in [0, 1, 62, 63, 64, 65, 126, 127, 128, 129, 499, 500, 501] where other != slot {
            #expect(!mask.contains(other))
        }
        mask.remove(slot)
        #expect(mask == SlotMask())
        #expect(mask.hashValue == SlotMask().hashValue)
        mask.remove(slot)
        #expect(mask.isEmpty)
    }

    @Test("Masks with the same slots are equal, whatever was put in and taken out")
    func equality() {
        var a = SlotMask()
        var b = SlotMask()
        for slot in [3, 70, 200] { a.insert(slot) }
        for slot in [200, 3, 300, 70] { b.insert(slot) }
        #expect(a != b)
        b.remove(300)
        #expect(a == b)
        var union = SlotMask()
        union.insert(5)
        union.formUnion(a)
        for slot in [3, 5, 70, 200] { #expect(union.contains(slot)) }
        #expect(!a.contains(5))
    }
}
