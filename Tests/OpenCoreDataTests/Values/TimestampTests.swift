import OpenCoreData
import TestSupport
import Testing

@Suite("Timestamps that other programs wrote")
struct TimestampTests {
    private static let rows: [(sql: String, seconds: Double, description: String?)] = [
        ("667100904.697671", 667_100_904.697671, "2022-02-21 01:48:24 +0000"), ("0", 0, "2001-01-01 00:00:00 +0000"),
        ("-0.25", -0.25, "2000-12-31 23:59:59 +0000"), ("978307200", 978_307_200, "2032-01-02 00:00:00 +0000"),
        ("-978307200", -978_307_200, "1970-01-01 00:00:00 +0000"), ("'667100904'", 667_100_904, "2022-02-21 01:48:24 +0000"),
        // As many seconds as there are, however implausible: milliseconds are not guessed.
        ("123456789012", 123_456_789_012, nil),
    ]

    private func container(_ url: URL) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Timestamps", managedObjectModel: HolderModel.make())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        try container.loadPersistentStores()
        return container
    }

    @Test(
        "B47: they are seconds since 2001 in UTC by each way out; text is an error that names file, attribute and row, not a date"
    )
    func seconds() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Timestamps.sqlite")
        let texts = ["'2024-02-20 09:06:47'", "''", "x'0102'"]
        try container(url).newBackgroundContext().run { context in
            for number in 0..<(Self.rows.count + texts.count) {
                NSEntityDescription.insertNewObject(forEntityName: "Holder", into: context).setValue(number, forKey: "number")
            }
            try context.save()
        }
        let database = try Database(url)
        for (number, sql) in (Self.rows.map(\.sql) + texts).enumerated() {
            try database.execute("UPDATE ZHOLDER SET ZDATE = \(sql) WHERE ZNUMBER = \(number)")
        }
        let before = try database.rows("SELECT ZNUMBER, typeof(ZDATE), hex(ZDATE) FROM ZHOLDER ORDER BY 1")
        try container(url).newBackgroundContext().run { context in
            func holders(_ format: String, _ arguments: Any...) throws -> [Holder] {
                let request = NSFetchRequest<Holder>(entityName: "Holder")
                request.predicate = NSPredicate(format: format, argumentArray: arguments)
                return try context.fetch(request)
            }
            func dictionary(_ number: Int) throws -> Any? {
                let request = NSFetchRequest<NSDictionary>(entityName: "Holder")
                (request.resultType, request.propertiesToFetch) = (.dictionaryResultType, ["date"])
                request.predicate = NSPredicate(format: "number == %ld", number)
                return try context.fetch(request).first?["date"]
            }
            for (number, row) in Self.rows.enumerated() {
                let date = Date(timeIntervalSinceReferenceDate: row.seconds)
                let holder = try #require(try holders("number == %ld", number).first)
                #expect(holder.date == date, "\(row.sql)")
                #expect(holder.value(forKey: "date") as? Date == date, "\(row.sql)")
                if let description = row.description { #expect(holder.date?.description == description, "\(row.sql)") }
                #expect(try dictionary(number) as? Date == date, "\(row.sql)")
                #expect(try holders("date == %@ AND number == %ld", date, number) == [holder], "\(row.sql)")
            }
            for number in Self.rows.count..<(Self.rows.count + texts.count) {
                for read in [{ _ = try holders("number == %ld", number) }, { _ = try dictionary(number) }] {
                    let error = #expect(throws: NSError.self) { try read() }
                    #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
                    for word in ["Timestamps.sqlite", "Holder.date", "is not a date"] {
                        #expect(error?.localizedDescription.contains(word) == true, "\(String(describing: error))")
                    }
                }
            }
            for holder in try holders("number < %ld", Self.rows.count) { holder.int64 = 5 }
            try context.save()
        }
        #expect(try database.rows("SELECT ZNUMBER, typeof(ZDATE), hex(ZDATE) FROM ZHOLDER ORDER BY 1") == before)
        #expect(try database.rows("SELECT COUNT(*) FROM ZHOLDER WHERE ZINT64 = 5") == [["\(Self.rows.count)"]])
    }
}
