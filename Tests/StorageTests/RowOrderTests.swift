import DataModel
import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("Comparing rows")
struct RowOrderTests {
    private let model = StorageModel()

    private func row(_ body: (Row) -> Void) -> Row {
        let row = Row.emptyDraft(model.thing)
        body(row)
        return row
    }

    private func order(_ name: String, isAscending: Bool = true) -> RowOrder {
        RowOrder([.init(slot: model.slot(name), isAscending: isAscending)], entity: model.thing)
    }

    @Test("Nil comes before every value; descending turns the order round")
    func nils() {
        let empty = row { _ in }
        let set = row { $0.setString(model.slot("aString"), "") }
        #expect(order("aString").compare(empty, set) < 0)
        #expect(order("aString").compare(set, empty) > 0)
        #expect(order("aString", isAscending: false).compare(empty, set) > 0)
        #expect(order("aString").compare(empty, empty) == 0)
    }

    @Test("Text is compared by its bytes")
    func texts() {
        let sorted = ["", "B", "a", "aa", "e\u{301}", "z", "ä", "🦊"]
        for (a, b) in zip(sorted, sorted.dropFirst()) {
            let (x, y) = (row { $0.setString(model.slot("aString"), a) }, row { $0.setString(model.slot("aString"), b) })
            #expect(order("aString").compare(x, y) < 0, "\(a) \(b)")
        }
    }

    @Test("Numbers, decimals, blobs and UUIDs")
    func others() {
        func pair(_ name: String, _ a: (Row) -> Void, _ b: (Row) -> Void) {
            #expect(order(name).compare(row(a), row(b)) < 0, "\(name)")
        }
        pair(
            "anInt", { Row.setScalar($0.slots, model.slot("anInt"), UInt64(bitPattern: -1)) },
            { Row.setScalar($0.slots, model.slot("anInt"), 1) })
        pair(
            "aDouble", { Row.setScalar($0.slots, model.slot("aDouble"), (-1.5).bitPattern) },
            { Row.setScalar($0.slots, model.slot("aDouble"), 1.0.bitPattern) })
        pair(
            "aDecimal", { $0.setBoxed(model.slot("aDecimal"), Decimal(-2)) }, { $0.setBoxed(model.slot("aDecimal"), Decimal(1)) })
        pair("aBlob", { $0.setData(model.slot("aBlob"), Data([1, 255])) }, { $0.setData(model.slot("aBlob"), Data([2])) })
        let low = UUID(uuidString: "00000000-0000-0000-0000-0000000000FF") ?? UUID()
        let high = UUID(uuidString: "10000000-0000-0000-0000-000000000000") ?? UUID()
        pair("aUUID", { $0.setUUID(model.slot("aUUID"), low) }, { $0.setUUID(model.slot("aUUID"), high) })
    }

    @Test("The second key decides where the first is equal; subentities are compared by property, not by slot number")
    func severalKeysAndSubentities() {
        let keys: [RowRequest.SortKey] = [
            .init(slot: model.slot("anInt"), isAscending: true), .init(slot: model.slot("aString"), isAscending: false),
        ]
        let order = RowOrder(keys, entity: model.thing)
        func thing(_ number: UInt64, _ text: String) -> Row {
            row {
                Row.setScalar($0.slots, model.slot("anInt"), number)
                $0.setString(model.slot("aString"), text)
            }
        }
        #expect(order.compare(thing(1, "a"), thing(1, "b")) > 0)
        #expect(order.compare(thing(1, "a"), thing(2, "b")) < 0)
        let part = Row.emptyDraft(model.part)
        part.setString(model.part.slotByName["aString"] ?? 0, "c")
        Row.setScalar(part.slots, model.part.slotByName["anInt"] ?? 0, 1)
        #expect(order.compare(part, thing(1, "b")) < 0)
    }
}
