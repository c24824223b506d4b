import OpenCoreData
import TestSupport
import Testing

@Suite("R06, R07, R31: values that attributes can't hold")
struct ValueRuleTests {
    private final class Store {
        let folder: TemporaryFolder
        let coordinator: NSPersistentStoreCoordinator
        var url: URL { folder.file("values.sqlite") }

        init(isInMemory: Bool = false) throws {
            folder = try TemporaryFolder()
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: HolderModel.make())
            try coordinator.addPersistentStore(
                ofType: isInMemory ? NSInMemoryStoreType : NSSQLiteStoreType, configurationName: nil,
                at: isInMemory ? nil : folder.file("values.sqlite"), options: nil)
        }

        func run<T>(_ body: @escaping (NSManagedObjectContext) throws -> T) throws -> T {
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            return try context.run(body)
        }

        func fill(_ values: [[String: Any]]) throws {
            try run { context in
                for (index, values) in values.enumerated() {
                    let object = NSEntityDescription.insertNewObject(forEntityName: "Holder", into: context)
                    object.setValue(index, forKey: "number")
                    for (key, value) in values { object.setValue(value, forKey: key) }
                }
                try context.save()
            }
        }

        /// The numbers of the objects for which a predicate is true: by the store, and in memory.
        func found(_ format: String, _ arguments: [Any]) throws -> (store: [Int], memory: [Int]) {
            try run { context in
                let predicate = NSPredicate(format: format, argumentArray: arguments)
                let request = NSFetchRequest<NSManagedObject>(entityName: "Holder")
                let all = try context.fetch(request)
                request.predicate = predicate
                func numbers(_ objects: [NSManagedObject]) -> [Int] {
                    objects.compactMap { $0.value(forKey: "number") as? Int }.sorted()
                }
                return (numbers(try context.fetch(request)), numbers(all.filter { predicate.evaluate(with: $0) }))
            }
        }
    }

    private static func code(_ body: () throws -> Void) -> Int? {
        do { try body() } catch { return (error as NSError).code }
        return nil
    }

    @Test("R06: NaN in a predicate equals nothing, not nil either, and stands in no order", arguments: [false, true])
    func predicates(isInMemory: Bool) throws {
        let store = try Store(isInMemory: isInMemory)
        try store.fill([
            ["double": 1.0, "date": Date(timeIntervalSinceReferenceDate: 1), "decimal": NSDecimalNumber(value: 1)], [:],
            ["double": Double.infinity],
        ])
        let nan = Double.nan
        let date = Date(timeIntervalSinceReferenceDate: .nan)
        let cases: [(String, [Any], [Int])] = [
            ("double == %@", [nan], []), ("double != %@", [nan], [0, 1, 2]), ("%@ == double", [nan], []),
            ("double == %lf", [nan], []), ("double < %@", [nan], []), ("double >= %@", [nan], []),
            ("NOT double < %@", [nan], [0, 1, 2]), ("double IN %@", [[nan, 1.0]], [0]), ("double IN %@", [[nan]], []),
            ("double BETWEEN %@", [[0.0, nan]], []), ("double == %@", [Float.nan], []),
            ("double == %@", [NSDecimalNumber.notANumber], []), ("decimal == %@", [NSDecimalNumber.notANumber], []),
            ("decimal != %@", [Decimal.nan], [0, 1, 2]), ("date == %@", [date], []), ("date != %@", [date], [0, 1, 2]),
            ("date < %@", [date], []), ("double + %@ == nil", [nan], [0, 1, 2]), ("double == nil", [], [1]),
        ]
        for (format, arguments, expected) in cases {
            let found = try store.found(format, arguments)
            #expect(found.store == expected && found.memory == expected, "\(format): \(found)")
        }
        // The predicate's text says the same.
        let text = "\(NSPredicate(format: "double != %@", nan))"
        #expect(try store.found(text, []).store == [0, 1, 2])
    }

    @Test(
        "R06: sums and averages over infinities are the same by the store, in memory and by the typed functions",
        arguments: [false, true])
    func infinities(isInMemory: Bool) throws {
        for (values, sum) in [
            ([Double.infinity, -.infinity, 1], Double.nan), ([.infinity, 1], .infinity), ([-.infinity, -.infinity], -.infinity),
            ([.greatestFiniteMagnitude, .greatestFiniteMagnitude], .infinity), ([], 0),
        ] as [([Double], Double)] {
            let store = try Store(isInMemory: isInMemory)
            try store.fill(values.map { ["double": $0] } + [[:]])
            try store.run { context in
                let typed = try context.sum(\.double, of: Holder.self)
                #expect(typed == sum || typed.isNaN && sum.isNaN, "\(values)")
                let grouped = try context.sum(\.double, of: Holder.self, groupedBy: \.text)[nil]
                #expect(grouped == sum || grouped?.isNaN == true && sum.isNaN, "\(values)")
                let average = try context.average(\.double, of: Holder.self)
                let expected = values.isEmpty ? nil : sum / Double(values.count)
                #expect(average == expected || average?.isNaN == true && sum.isNaN, "\(values)")
                for (function, expected) in [("sum:", values.isEmpty ? nil : sum), ("average:", expected)] {
                    let request = NSFetchRequest<NSDictionary>(entityName: "Holder")
                    request.resultType = .dictionaryResultType
                    let description = NSExpressionDescription()
                    description.name = "result"
                    description.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: "double")])
                    description.resultType = .double
                    request.propertiesToFetch = [description]
                    let found = try context.fetch(request).first?["result"] as? Double
                    #expect(found == (expected?.isNaN == true ? nil : expected), "\(function) \(values)")
                }
            }
        }
    }

    @Test("R07: a number that an integer can't hold is refused by the save until another value is set", arguments: [false, true])
    func unfitNumbers(isInMemory: Bool) throws {
        let store = try Store(isInMemory: isInMemory)
        try store.run { context in
            let object = Holder(context: context)
            object.number = 1
            for (key, value, code) in [
                ("int64", 4.5, 1550), ("int64", 1e300, 1610), ("int64", -Double.infinity, 1620), ("int16", Double.nan, 1550),
                ("int32", Double(Int32.max) + 1, 1610), ("flag", Double.nan, 1550),
            ] {
                object.setValue(value, forKey: key)
                let error = #expect(throws: NSError.self) { try context.save() }
                #expect(error?.code == code && error?.userInfo[NSValidationKeyErrorKey] as? String == key, "\(key) \(value)")
                #expect((error?.userInfo[NSValidationValueErrorKey] as? Double).map { $0 == value || value.isNaN } == true)
                var given: Any? = value
                #expect(Self.code { try object.validateValue(&given, forKey: key) } == code)
                object.setValue(nil, forKey: key)
            }
            try context.save()
            // Several at a time, and each replaced in another way by the very number that stood in for it.
            object.setValue(4.5, forKey: "int16")
            object.setValue(5.5, forKey: "int32")
            object.setPrimitiveValue(6.5, forKey: "int64")
            #expect(Self.code { try context.save() } == NSValidationMultipleErrorsError)
            object.int16 = 4
            object.int32 = 5
            object.setPrimitiveValue(6, forKey: "int64")
            try context.save()
            #expect(object.int16 == 4 && object.int32 == 5 && object.int64 == 6)
            object.setValue(4.5, forKey: "int16")
            context.rollback()
            object.text = "saved"
            try context.save()
            #expect(object.int16 == 4)
        }
        try store.run { context in
            context.undoManager = UndoManager()
            let object = try #require(try context.fetch(Holder.self).first)
            object.setValue(7.5, forKey: "int64")
            context.processPendingChanges()
            context.undo()
            object.text = "undone"
            try context.save()
            #expect(object.int64 == 6)
        }
    }

    @Test("R07: batch requests refuse what a save refuses, computed values included, and then nothing is written")
    func batches() throws {
        let store = try Store()
        try store.fill([["int16": 300, "int32": 3, "float": Float(1)], ["int16": 30000, "decimal": NSDecimalNumber(value: 2)]])
        func update(_ values: [AnyHashable: Any], _ entity: String = "Holder") -> Int? {
            Self.code {
                _ = try store.run { context in
                    let request = NSBatchUpdateRequest(entityName: entity)
                    request.propertiesToUpdate = values
                    return try context.execute(request)
                }
            }
        }
        let number = NSValidationNumberTooLargeError
        #expect(update(["int16": NSExpression(format: "int16 * 2")]) == number)
        #expect(update(["int16": NSExpression(format: "0 - int16 * 200")]) == NSValidationNumberTooSmallError)
        #expect(update(["int32": NSExpression(format: "int16 * 1000000")]) == number)
        #expect(update(["int64": NSExpression(format: "int16 * 1e300")]) == number)
        #expect(update(["float": NSExpression(format: "int16 * 1e300")]) == number)
        #expect(update(["date": NSExpression(format: "CAST(int16 * 1e400, 'NSDate')")]) == NSValidationInvalidDateError)
        #expect(update(["decimal": NSExpression(format: "int16 * 1e300")]) == NSManagedObjectValidationError)
        // Not all rows have a value.
        #expect(update(["number": NSExpression(format: "int32")]) == NSValidationMissingMandatoryPropertyError)
        #expect(update(["number": NSNull()]) == NSValidationMissingMandatoryPropertyError)
        #expect(update(["number": 4.5]) == NSManagedObjectValidationError)
        #expect(update(["box.elementint16": 70000]) == number)
        #expect(update(["box": ["elementdouble": Double.nan]]) == NSManagedObjectValidationError)
        try store.run { context in
            let typed = #expect(throws: NSError.self) { try context.batchUpdate(Holder.self, set: .init(\.double, to: .nan)) }
            #expect(typed?.code == NSManagedObjectValidationError)
            let handler = NSBatchInsertRequest(
                entityName: "Holder",
                managedObjectHandler: { object in
                    object.setValue(4.5, forKey: "int32")
                    return false
                })
            #expect(Self.code { _ = try context.execute(handler) } == NSManagedObjectValidationError)
            let objects = try context.fetch(Holder.self, sortedBy: [Holder.keys.number.ascending])
            #expect(
                objects.map(\.int16) == [300, 30000] && objects.map(\.int32) == [3, nil] && objects.map(\.number) == [0, 1])
            #expect(objects.map(\.float) == [1, nil] && objects.map(\.double) == [nil, nil])
        }
        #expect(update(["flag": NSExpression(format: "int16"), "float": NSExpression(format: "int16 / 3000.0")]) == nil)
        try store.run { context in
            let objects = try context.fetch(Holder.self, sortedBy: [Holder.keys.number.ascending])
            #expect(objects.map(\.float) == [Float(0.1), 10] && objects.map(\.flag) == [true, true])
        }
        #expect(try Database(store.url).text("SELECT group_concat(ZFLAG) FROM ZHOLDER") == "1,1")
        #expect(try Database(store.url).text("SELECT ZFLOAT FROM ZHOLDER WHERE ZNUMBER = 0") == "0.100000001490116")
    }

    @Test(
        "R07, R31: what another program wrote and nobody changed stays byte for byte, and keeps no other change from being saved")
    func untouched() throws {
        let store = try Store()
        try store.fill([["int16": 1, "flag": true, "float": Float(1), "link": URL(fileURLWithPath: "/")], ["date": Date()]])
        let database = try Database(store.url)
        try database.execute("UPDATE ZHOLDER SET ZINT16 = 70000, ZFLAG = 2, ZFLOAT = 0.1, ZLINK = 'http://[' WHERE ZNUMBER = 0")
        try database.execute("UPDATE ZHOLDER SET ZDATE = 'yesterday', ZUUID = 'x' WHERE ZNUMBER = 1")
        try store.run { context in
            let object = try #require(try context.fetch(Holder.self, where: Holder.keys.number == 0).first)
            #expect(object.value(forKey: "int16") as? Int == 70000 && object.flag == true && object.float == Float(0.1))
            #expect(throws: PropertyValueError.self) { try object.value(of: \.int16) }
            object.text = "changed"
            try context.save()
            object.setValue(70001, forKey: "int16")
            #expect(Self.code { try context.save() } == NSValidationNumberTooLargeError)
        }
        let values = "ZINT16 || ' ' || ZFLAG || ' ' || ZFLOAT || ' ' || ZLINK || ' ' || ZTEXT"
        #expect(try database.text("SELECT \(values) FROM ZHOLDER WHERE ZNUMBER = 0") == "70000 2 0.1 http://[ changed")
        try store.run { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Holder")
            request.returnsObjectsAsFaults = false
            request.predicate = NSPredicate(format: "number == 1")
            let error = #expect(throws: NSError.self) { try context.fetch(request) }
            #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
            #expect(
                error?.localizedDescription.contains("“Holder.date” in row 2 is not a date, but text") == true, "\(error as Any)")
        }
        #expect(
            try database.text("SELECT typeof(ZDATE) || ZDATE || typeof(ZUUID) FROM ZHOLDER WHERE ZNUMBER = 1")
                == "textyesterdaytext")
    }

    @Test("R06: values of types of one's own are held to what their stored type takes", arguments: [false, true])
    func ownTypes(isInMemory: Bool) throws {
        let folder = try TemporaryFolder()
        let container = try NSPersistentContainer(name: "Wrapped", entities: Wrapped.self)
        let description = NSPersistentStoreDescription(url: folder.file("wrapped.sqlite"))
        description.type = isInMemory ? NSInMemoryStoreType : NSSQLiteStoreType
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        try container.newBackgroundContext().run { context in
            let object = Wrapped.makeInstance(in: context)
            object.ratio = WrappedRatio(value: .nan)
            #expect(Self.code { try context.save() } == NSManagedObjectValidationError)
            object.ratio = WrappedRatio(value: .infinity)
            object.weight = WrappedMass(rawValue: .nan)
            #expect(Self.code { try context.save() } == NSManagedObjectValidationError)
            object.weight = WrappedMass(rawValue: -.infinity)
            object.coded = WrappedCode(number: .nan, date: .distantPast)
            try context.save()
        }
        try container.newBackgroundContext().run { context in
            let object = try #require(try context.fetch(Wrapped.self).first)
            #expect(object.ratio?.value == .infinity && object.weight?.rawValue == -.infinity)
            #expect(object.coded?.number.isNaN == true && object.coded?.date == .distantPast)
            let assignment = #expect(throws: NSError.self) {
                try context.batchUpdate(Wrapped.self, set: .init(\.ratio, to: WrappedRatio(value: .nan)))
            }
            #expect(assignment?.code == NSManagedObjectValidationError)
        }
    }

    @Test("R06: a date that is not a number can be printed, with its object and its error")
    func printing() throws {
        let store = try Store(isInMemory: true)
        try store.run { context in
            let object = Holder(context: context)
            object.date = Date(timeIntervalSinceReferenceDate: .nan)
            #expect(object.description.contains("NaN"))
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect("\(error as Any)".contains("is not a valid date"))
            object.setValue(["elementdate": Date(timeIntervalSinceReferenceDate: .nan)], forKey: "box")
            #expect(object.debugDescription.contains("NaN"))
        }
    }

    @Test("R94: a decimal has the digits that a store keeps from the moment it is set", arguments: [false, true])
    func digits(isInMemory: Bool) throws {
        let store = try Store(isInMemory: isInMemory)
        try store.run { context in
            let object = Holder(context: context)
            for (text, kept) in [
                ("0.1", "0.1"), ("-123456789012345", "-123456789012345"), ("12345678901234.56", "12345678901234.56"),
                ("3.3333333333333333333333333333333333333", "3.3333333333333335"),
                ("-1234567890123456789", "-1234567890123456800"),
                ("100000000000000000000", "100000000000000000000"), ("0.000000000000000000001", "0.000000000000000000001"),
            ] {
                object.decimal = Decimal(string: text)
                #expect(object.decimal.map { "\($0)" } == kept)
                object.setValue(NSDecimalNumber(string: text), forKey: "decimal")
                #expect(object.decimal.map { "\($0)" } == kept)
                try context.save()
                context.refresh(object, mergeChanges: false)
                #expect(object.decimal.map { "\($0)" } == kept)
            }
            object.decimal = 2
            try context.save()
            // The constant has more digits than any value in the store.
            let long = try #require(Decimal(string: "2.00000000000000000000000000000001"))
            let request = Holder.fetchRequest()
            request.predicate = NSPredicate(format: "decimal < %@", NSDecimalNumber(decimal: long))
            #expect(try context.count(for: request) == 1)
            request.predicate = NSPredicate(format: "decimal == %@", NSDecimalNumber(decimal: long))
            #expect(try context.count(for: request) == 0)
        }
    }
}

struct WrappedRatio: StorableValue {
    var value: Double

    init(value: Double) { self.value = value }
    init?(storedValue: Double) { value = storedValue }
    var storedValue: Double { value }
}

struct WrappedMass: RawRepresentable {
    var rawValue: Double
}

struct WrappedCode: Codable {
    var number: Double
    var date: Date
}

@Entity final class Wrapped: NSManagedObject {
    var ratio: WrappedRatio?
    var weight: WrappedMass?
    @Attribute(.codable) var coded: WrappedCode?
}
