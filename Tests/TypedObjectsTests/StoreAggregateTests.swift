import Foundation
import OpenCoreData
import TestSupport
import Testing

enum SaleKind: String {
    case cash, card
}

enum Grade: Int16 {
    case low = 1
    case high = 9
}

@Entity class Sale: NSManagedObject {
    @Attribute("sum") var amount: Int32
    var big: Int64 = 0
    var ratio: Double?
    var weight: Float = 0
    @Attribute("cost") var price: Decimal
    var discount: Decimal?
    var day: Date
    var shipped: Date?
    var kind: SaleKind = .cash
    var grade: Grade?
    var tip: Money?
    var note: String?
    var isPaid: Bool = false
    var code: UUID?
    @Attribute(.codable) var extra: Int = 1
    @Attribute(.transient) var scratch: Int = 7
    var buyer: Buyer?
    var shop: Shop

    var double: Int { Int(amount) * 2 }
}

@Entity final class BigSale: Sale {
    var agent: String = ""
}

@Entity final class Buyer: NSManagedObject {
    var name: String
    @Relationship(inverse: \Sale.buyer) var sales: Set<Sale>
}

@Entity final class Shop: NSManagedObject {
    var town: String
    var rank: Int16 = 0
    @Relationship(deleteRule: .cascade, inverse: \Sale.shop) var sales: [Sale]
}

@Suite("Typed aggregates by the store and in memory")
struct StoreAggregateTests {
    private static func day(_ number: Double) -> Date { Date(timeIntervalSinceReferenceDate: number * 86400) }

    private static func withStore(_ body: @escaping (TestStore) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let container = try NSPersistentContainer(
            name: "Sales", entities: Sale.self, BigSale.self, Buyer.self, Shop.self)
        let store = try TestStore(container, at: folder.file("sales.sqlite"))
        try store.run { (context: NSManagedObjectContext) throws in
            let buyer = Buyer(context: context, name: "Ann")
            let shop = Shop(context: context, town: "Lyon", rank: 2)
            let other = Shop(context: context, town: "Nara", rank: 1)
            _ = Sale(
                context: context, amount: 10, price: 1.25, day: day(1), shop: shop, big: 1 << 40, ratio: 0.5, weight: 1.5,
                discount: 0.1, shipped: day(3), grade: .high, tip: Money(cents: 5), note: "a", isPaid: true, code: UUID(),
                buyer: buyer)
            _ = Sale(context: context, amount: -4, price: 20, day: day(4), shop: shop, ratio: 2, kind: .card, note: "e\u{301}")
            _ = Sale(context: context, amount: 7, price: 0.1, day: day(2), shop: other, kind: .card, grade: .low, note: "f")
            _ = BigSale(
                context: context, amount: 100, price: 999.99, day: day(9), shop: other, ratio: -1, discount: 3, buyer: buyer)
            try context.save()
        }
        try body(store)
    }

    /// Every aggregate over every kind of value, as text.
    private static func everything(_ context: NSManagedObjectContext) throws -> [String] {
        var texts: [String] = []
        func note(_ value: Any?) { texts.append(value.map { "\($0)" } ?? "nil") }
        func noteGroups<Key, Value>(_ groups: [Key: Value], _ name: (Key) -> String) {
            texts.append(groups.map { "\(name($0.key)): \($0.value)" }.sorted().joined(separator: ", "))
        }
        let ranked = #Predicate<Sale> { $0.amount > 0 && $0.shop.rank == 1 }
        let computed = #Predicate<Sale> { $0.double > 14 }
        // The same twice: the two forms of conditions are functions of their own.
        for condition: Predicate<Sale>? in [nil, ranked, computed] {
            note(try context.sum(\.amount, of: Sale.self, where: condition))
            note(try context.sum(\.big, of: Sale.self, where: condition))
            note(try context.sum(\.ratio, of: Sale.self, where: condition))
            note(try context.sum(\.weight, of: Sale.self, where: condition))
            note(try context.sum(\.price, of: Sale.self, where: condition))
            note(try context.sum(\.discount, of: Sale.self, where: condition))
            note(try context.sum(\.extra, of: Sale.self, where: condition))
            note(try context.sum(\.scratch, of: Sale.self, where: condition))
            note(try context.sum(\.double, of: Sale.self, where: condition))
            note(try context.sum(\.shop.rank, of: Sale.self, where: condition))
            note(try context.average(\.amount, of: Sale.self, where: condition))
            note(try context.average(\.ratio, of: Sale.self, where: condition))
            note(try context.average(\.price, of: Sale.self, where: condition))
            note(try context.average(\.discount, of: Sale.self, where: condition))
            note(try context.min(\.amount, of: Sale.self, where: condition))
            note(try context.max(\.ratio, of: Sale.self, where: condition))
            note(try context.min(\.price, of: Sale.self, where: condition))
            note(try context.max(\.price, of: Sale.self, where: condition))
            note(try context.min(\.weight, of: Sale.self, where: condition))
            note(try context.min(\.day, of: Sale.self, where: condition))
            note(try context.max(\.shipped, of: Sale.self, where: condition))
            note(try context.max(\.note, of: Sale.self, where: condition))
            note(try context.max(\.shop.town, of: Sale.self, where: condition))
            noteGroups(try context.count(of: Sale.self, groupedBy: \.kind, where: condition)) { $0.rawValue }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.grade, where: condition)) { "\($0?.rawValue ?? 0)" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.tip, where: condition)) { "\($0?.cents ?? 0)" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.isPaid, where: condition)) { "\($0)" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.discount, where: condition)) { "\($0 ?? 0)" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.day, where: condition)) { "\($0)" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.code, where: condition)) { "\($0?.uuidString ?? "")" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.buyer, where: condition)) { $0?.name ?? "" }
            noteGroups(try context.count(of: Sale.self, groupedBy: Sale.keys.buyer.name, where: condition)) { $0 ?? "" }
            noteGroups(try context.count(of: Sale.self, groupedBy: Sale.keys.buyer, where: condition)) { $0?.name ?? "" }
            noteGroups(try context.sum(\.discount, of: Sale.self, groupedBy: Sale.keys.grade, where: condition)) {
                "\($0 as Any)"
            }
            noteGroups(try context.average(\.ratio, of: Sale.self, groupedBy: Sale.keys.kind, where: condition)) { $0.rawValue }
            noteGroups(try context.min(\.day, of: Sale.self, groupedBy: Sale.keys.shop.town, where: condition)) { $0 }
            noteGroups(try context.max(\.shipped, of: Sale.self, groupedBy: Sale.keys.isPaid, where: condition)) { "\($0)" }
            noteGroups(try context.sum(\.price, of: Sale.self, groupedBy: \.shop, where: condition)) { $0.town }
            noteGroups(try context.sum(\.ratio, of: Sale.self, groupedBy: \.shop.town, where: condition)) { $0 }
            noteGroups(try context.average(\.discount, of: Sale.self, groupedBy: \.kind, where: condition)) { $0.rawValue }
            noteGroups(try context.min(\.day, of: Sale.self, groupedBy: \.kind, where: condition)) { $0.rawValue }
            noteGroups(try context.max(\.shipped, of: Sale.self, groupedBy: \.kind, where: condition)) { $0.rawValue }
            noteGroups(try context.max(\.note, of: Sale.self, groupedBy: \.kind, where: condition)) { $0.rawValue }
        }
        for condition: TypedPredicate<Sale> in [\.kind == .card, \.amount > 1000] {
            note(try context.sum(\.amount, of: Sale.self, where: condition))
            note(try context.sum(\.big, of: Sale.self, where: condition))
            note(try context.sum(\.ratio, of: Sale.self, where: condition))
            note(try context.sum(\.weight, of: Sale.self, where: condition))
            note(try context.sum(\.price, of: Sale.self, where: condition))
            note(try context.sum(\.discount, of: Sale.self, where: condition))
            note(try context.sum(\.extra, of: Sale.self, where: condition))
            note(try context.sum(\.scratch, of: Sale.self, where: condition))
            note(try context.sum(\.double, of: Sale.self, where: condition))
            note(try context.sum(\.shop.rank, of: Sale.self, where: condition))
            note(try context.average(\.amount, of: Sale.self, where: condition))
            note(try context.average(\.ratio, of: Sale.self, where: condition))
            note(try context.average(\.price, of: Sale.self, where: condition))
            note(try context.average(\.discount, of: Sale.self, where: condition))
            note(try context.min(\.amount, of: Sale.self, where: condition))
            note(try context.max(\.ratio, of: Sale.self, where: condition))
            note(try context.min(\.price, of: Sale.self, where: condition))
            note(try context.max(\.price, of: Sale.self, where: condition))
            note(try context.min(\.weight, of: Sale.self, where: condition))
            note(try context.min(\.day, of: Sale.self, where: condition))
            note(try context.max(\.shipped, of: Sale.self, where: condition))
            note(try context.max(\.note, of: Sale.self, where: condition))
            note(try context.max(\.shop.town, of: Sale.self, where: condition))
            noteGroups(try context.count(of: Sale.self, groupedBy: \.kind, where: condition)) { $0.rawValue }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.grade, where: condition)) { "\($0?.rawValue ?? 0)" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.tip, where: condition)) { "\($0?.cents ?? 0)" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.isPaid, where: condition)) { "\($0)" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.discount, where: condition)) { "\($0 ?? 0)" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.day, where: condition)) { "\($0)" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.code, where: condition)) { "\($0?.uuidString ?? "")" }
            noteGroups(try context.count(of: Sale.self, groupedBy: \.buyer, where: condition)) { $0?.name ?? "" }
            noteGroups(try context.count(of: Sale.self, groupedBy: Sale.keys.buyer.name, where: condition)) { $0 ?? "" }
            noteGroups(try context.count(of: Sale.self, groupedBy: Sale.keys.buyer, where: condition)) { $0?.name ?? "" }
            noteGroups(try context.sum(\.discount, of: Sale.self, groupedBy: Sale.keys.grade, where: condition)) {
                "\($0 as Any)"
            }
            noteGroups(try context.average(\.ratio, of: Sale.self, groupedBy: Sale.keys.kind, where: condition)) { $0.rawValue }
            noteGroups(try context.min(\.day, of: Sale.self, groupedBy: Sale.keys.shop.town, where: condition)) { $0 }
            noteGroups(try context.max(\.shipped, of: Sale.self, groupedBy: Sale.keys.isPaid, where: condition)) { "\($0)" }
            noteGroups(try context.sum(\.price, of: Sale.self, groupedBy: \.shop, where: condition)) { $0.town }
            noteGroups(try context.sum(\.ratio, of: Sale.self, groupedBy: \.shop.town, where: condition)) { $0 }
            noteGroups(try context.average(\.discount, of: Sale.self, groupedBy: \.kind, where: condition)) { $0.rawValue }
            noteGroups(try context.min(\.day, of: Sale.self, groupedBy: \.kind, where: condition)) { $0.rawValue }
            noteGroups(try context.max(\.shipped, of: Sale.self, groupedBy: \.kind, where: condition)) { $0.rawValue }
            noteGroups(try context.max(\.note, of: Sale.self, groupedBy: \.kind, where: condition)) { $0.rawValue }
        }
        return texts
    }

    @Test("both ways give the same: numbers, decimals, dates, optional values, enumerations, objects, paths, by every condition")
    func agreement() throws {
        try Self.withStore { store in
            let byStore = try store.fresh(Self.everything)
            let inMemory = try store.fresh { (context: NSManagedObjectContext) throws in
                // A change that changes nothing that is asked for.
                let sales = try context.fetch(Sale.self)
                for sale in sales { sale.scratch = 7 }
                try context.fetch(BigSale.self)[0].agent = "y"
                #expect(context.hasChanges)
                return try Self.everything(context)
            }
            #expect(byStore == inMemory)
            #expect(byStore[0] == "113" && byStore[4] == "1021.34" && byStore[9] == "6" && byStore[14] == "-4")
            #expect(byStore[23] == "card: 2, cash: 2" && byStore[24] == "0: 2, 1: 1, 9: 1")
        }
    }

    @Test(
        "unsaved changes count: new, changed and deleted objects, those that a delete rule takes along, and related ones of a path"
    )
    func unsavedChanges() throws {
        try Self.withStore { store in
            try store.fresh { (context: NSManagedObjectContext) throws in
                func sum() throws -> Int64 { try context.sum(\.amount, of: Sale.self) }
                let sales = try context.fetch(Sale.self, sortedBy: [SortDescriptor(\.amount)])
                sales[0].amount = 6
                #expect(try sum() == 123)
                #expect(try context.count(of: Sale.self, groupedBy: \.kind) == [.cash: 2, .card: 2])
                sales[0].kind = .cash
                #expect(try context.count(of: Sale.self, groupedBy: \.kind) == [.cash: 3, .card: 1])
                context.delete(sales[1])
                #expect(try sum() == 116)
                context.rollback()
                #expect(try sum() == 113)
                let lyon = sales[0].shop
                lyon.town = "Zug"
                #expect(try context.max(\.shop.town, of: Sale.self) == "Zug")
                #expect(try context.values(\.shop.town, of: Sale.self, where: \.amount < 0) == ["Zug"])
                context.delete(lyon)
                #expect(try sum() == 107)
            }
        }
    }

    @Test("a store is asked: it knows what others saved and this context has not merged")
    func storesAnswer() throws {
        try Self.withStore { store in
            try store.fresh { (context: NSManagedObjectContext) throws in
                let sales = try context.fetch(Sale.self)
                #expect(sales.map(\.amount).reduce(0, +) == 113)
                try store.fresh { (other: NSManagedObjectContext) throws in
                    for sale in try other.fetch(Sale.self) { sale.amount = 1 }
                    try other.save()
                }
                #expect(try context.sum(\.amount, of: Sale.self) == 4)
                #expect(try context.min(\.amount, of: Sale.self, groupedBy: \.kind) == [.cash: 1, .card: 1])
                #expect(try context.values(\.amount, of: Sale.self) == [1, 1, 1, 1])
                #expect(sales.map(\.amount).reduce(0, +) == 113, "objects are as they were")
            }
        }
    }

    @Test("a sum that is too great for an integer is the same error")
    func overflow() throws {
        try Self.withStore { store in
            try store.run { (context: NSManagedObjectContext) throws in
                for sale in try context.fetch(Sale.self, limit: 2) { sale.big = .max }
                let inMemory = #expect(throws: NSError.self) { try context.sum(\.big, of: Sale.self) }
                try context.save()
                let byStore = #expect(throws: NSError.self) { try context.sum(\.big, of: Sale.self) }
                #expect(inMemory == byStore && byStore?.localizedDescription.contains("Sale.big") == true)
            }
        }
    }

    @Test("a raw value that an enumeration doesn't know counts as nil where the property is optional, as it reads")
    func unknownValues() throws {
        try Self.withStore { store in
            try store.run { (context: NSManagedObjectContext) throws in
                for sale in try context.fetch(Sale.self, where: \.grade == .low) { sale.setValue(5, forKey: "grade") }
                let inMemory = try context.count(of: Sale.self, groupedBy: \.grade)
                try context.save()
                #expect(try context.count(of: Sale.self, groupedBy: \.grade) == inMemory)
                #expect(inMemory == [nil: 3, .high: 1])
                let sale = try #require(try context.fetch(Sale.self, limit: 1).first)
                sale.setValue("barter", forKey: "kind")
                let error = #expect(throws: NSError.self) { try context.count(of: Sale.self, groupedBy: Sale.keys.kind) }
                #expect(error?.localizedDescription.hasPrefix("Sale.kind is “barter” in <x-coredata://") == true)
            }
        }
    }

    @Test("a child context asks for what its parent has not saved")
    func childContext() throws {
        try Self.withStore { store in
            try store.fresh { (parent: NSManagedObjectContext) throws in
                try parent.fetch(Sale.self, where: \.amount == 7)[0].amount = 0
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = parent
                #expect(try child.performAndWait { try child.sum(\.amount, of: Sale.self) } == 106)
            }
        }
    }

    // MARK: Values without objects

    @Test("several properties without the objects, in order, with limit and offset, before and after the save")
    func values() throws {
        try Self.withStore { store in
            try store.fresh { (context: NSManagedObjectContext) throws in
                func texts() throws -> [String] {
                    try context.values(
                        \.amount, \.grade, \.shop.town, \.buyer, of: Sale.self, where: #Predicate { $0.amount > 0 },
                        sortedBy: [Sale.keys.amount.descending], limit: 2, offset: 1
                    ).map { "\($0) \($1?.rawValue ?? 0) \($2) \($3?.name ?? "")" }
                }
                #expect(try texts() == ["10 9 Lyon Ann", "7 1 Nara "])
                #expect(try context.values(\.amount, of: BigSale.self) == [100])
                #expect(try context.values(\.amount, \.double, of: Sale.self, where: \.amount < 0).first?.1 == -8)
                #expect(try context.values(\.note, of: Sale.self, sortedBy: [Sale.keys.amount.ascending]).last == .some(nil))
                #expect(try context.values(\.amount, of: Sale.self, limit: 0).isEmpty)
                try context.fetch(Sale.self, where: \.amount == 10)[0].amount = 8
                #expect(try texts() == ["8 9 Lyon Ann", "7 1 Nara "])
            }
        }
    }

    @Test("values of many kinds are those that objects have")
    func valueKinds() throws {
        try Self.withStore { store in
            try store.fresh { (context: NSManagedObjectContext) throws in
                let order = [Sale.keys.amount.ascending]
                let objects = try context.fetch(Sale.self, where: \.amount < 1000, sortedBy: order)
                func expectSame<Value: Equatable>(_ keyPath: KeyPath<Sale, Value>) throws {
                    let values = try context.values(keyPath, of: Sale.self, sortedBy: order)
                    #expect(values == objects.map { $0[keyPath: keyPath] }, "\(keyPath)")
                }
                try expectSame(\.amount)
                try expectSame(\.big)
                try expectSame(\.ratio)
                try expectSame(\.weight)
                try expectSame(\.price)
                try expectSame(\.discount)
                try expectSame(\.day)
                try expectSame(\.shipped)
                try expectSame(\.kind)
                try expectSame(\.grade)
                try expectSame(\.tip)
                try expectSame(\.note)
                try expectSame(\.isPaid)
                try expectSame(\.code)
                try expectSame(\.extra)
                try expectSame(\.scratch)
                try expectSame(\.buyer)
                try expectSame(\.shop)
                try expectSame(\.shop.rank)
            }
        }
    }

    @Test("a fetch in the order of keys, without a condition")
    func order() throws {
        try Self.withStore { store in
            try store.fresh { (context: NSManagedObjectContext) throws in
                let sales = try context.fetch(
                    Sale.self, sortedBy: [Sale.keys.shop.town.descending, Sale.keys.amount.ascending], limit: 3)
                #expect(sales.map(\.amount) == [7, 100, -4])
                for predicate in [#Predicate<Sale> { $0.amount > 7 }, #Predicate<Sale> { $0.double > 14 }] {
                    let found = try context.fetch(Sale.self, where: predicate, sortedBy: [Sale.keys.amount.descending], limit: 1)
                    #expect(found.map(\.amount) == [100])
                }
                #expect(try context.fetch(Sale.self, sortedBy: [], limit: 1).count == 1)
            }
        }
    }

    // MARK: Prefetching

    @Test("FET-44: what was prefetched is there after it is gone from the store")
    func prefetching() throws {
        try Self.withStore { store in
            try store.fresh { (context: NSManagedObjectContext) throws in
                let sales = try context.fetch(
                    Sale.self, where: #Predicate { $0.amount > 0 }, sortedBy: [SortDescriptor(\.amount)], limit: 2,
                    prefetching: \.buyer, \.shop.sales)
                let big = try context.fetch(BigSale.self, where: \.amount > 50, prefetching: \.buyer)
                #expect(throws: NSError.self) { try context.fetch(Sale.self, prefetching: \.double) }
                #expect(throws: NSError.self) { try context.fetch(Sale.self, prefetching: \.amount) }
                try store.fresh { (other: NSManagedObjectContext) throws in
                    for type in [Sale.self, Buyer.self, Shop.self] as [NSManagedObject.Type] {
                        for object in try other.fetch(type) { other.delete(object) }
                    }
                    try other.save()
                }
                #expect(sales.map(\.amount) == [7, 10] && sales.map { $0.buyer?.name } == [nil, "Ann"])
                #expect(sales.map(\.shop.town) == ["Nara", "Lyon"] && sales.map(\.shop.sales.count) == [2, 2])
                #expect(big.map { $0.buyer?.name } == ["Ann"])
            }
        }
    }
}
