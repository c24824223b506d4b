import CoreData
import Foundation
import Museum
import Testing

@Suite("The properties of a model layer of twenty entities as Xcode writes it")
struct PropertyTests {
    @Test("Every entity has its class, from the target's own model")
    func model() throws {
        try TestMuseum().visit { context in
            let entities = try #require(context.persistentStoreCoordinator?.managedObjectModel.entities)
            #expect(entities.count == 20)
            for entity in entities {
                let made = entity.isAbstract ? nil : NSManagedObject(entity: entity, insertInto: context)
                #expect(made.map { String(describing: type(of: $0)) == entity.name } ?? true, "\(entity.name ?? "")")
            }
            #expect(Exhibit.entity().isAbstract && Canvas.entity().superentity == Exhibit.entity())
            #expect(Loan.fetchRequest().entityName == "Loan" && Loan.entity().managedObjectClassName == "Loan")
            let ids: [any Identifiable] = [Floor(context: context), Gallery(context: context)]
            #expect(ids.count == 2)
        }
    }

    @Test("Attributes of all types keep their values: texts, dates, identifiers, addresses, decimals, transformables")
    func attributes() throws {
        let museum = try TestMuseum()
        let day = Date(timeIntervalSinceReferenceDate: 86_400)
        let id = try museum.visit { context in
            let canvas = Canvas(context: context)
            #expect(canvas.title == nil && canvas.insuredValue == 0 && canvas.weight == 0 && canvas.views == 0)
            #expect(
                !canvas.isOnShow && canvas.rank == nil && canvas.keywords == nil && canvas.tint == nil && canvas.height == nil)
            canvas.number = "P 1"
            canvas.title = "Boats"
            canvas.acquired = day
            canvas.catalogPage = URL(string: "https://example.org/p/1")
            canvas.insuredValue = NSDecimalNumber(string: "1250000.75")
            canvas.isOnShow = true
            canvas.keywords = ["sea", "boats"]
            canvas.tint = ["red": 0.5] as NSDictionary
            canvas.rank = 2
            canvas.views = 1 << 40
            canvas.weight = 12.5
            canvas.width = 1.5
            canvas.height = 2
            canvas.palette = Palette(colors: ["ochre", "blue"])
            let id = try #require(canvas.uuid)
            try context.save()
            return id
        }
        try museum.visit { context in
            let canvas = try context.only(Canvas.self, "uuid == %@", id)
            #expect(canvas.number == "P 1" && canvas.title == "Boats" && canvas.acquired == day)
            #expect(canvas.catalogPage?.path == "/p/1" && canvas.insuredValue == NSDecimalNumber(string: "1250000.75"))
            #expect(canvas.isOnShow && canvas.keywords == ["sea", "boats"] && canvas.tint as? NSDictionary == ["red": 0.5])
            #expect(canvas.rank == 2 && canvas.views == 1 << 40 && canvas.weight == 12.5 && canvas.area == 3)
            #expect(canvas.palette?.colors == ["ochre", "blue"] && canvas.readings == 1)
            canvas.keywords = nil
            canvas.palette = nil
            canvas.rank = nil
            canvas.catalogPage = nil
            try context.save()
            context.refreshAllObjects()
            #expect(canvas.keywords == nil && canvas.palette == nil && canvas.rank == nil && canvas.catalogPage == nil)
        }
    }

    @Test("Scalars and numbers of every width, with a value and without: a scalar of nothing is zero, a number is nil")
    func scalars() throws {
        let museum = try TestMuseum()
        try museum.visit { context in
            let device = Device(context: context)
            let full = SensorReading(context: context)
            (full.boolean, full.count16, full.count32, full.count64) = (true, .min, .max, .min)
            (full.double, full.float, full.taken) = (0.1, -1.5, 1000)
            (full.noBoolean, full.noCount16, full.noCount32, full.noCount64) = (false, 1, 2, 3)
            (full.noDouble, full.noFloat) = (0.25, 0.5)
            let empty = SensorReading(context: context)
            empty.taken = -1
            device.addToReadings([full, empty])
            try context.save()
        }
        try museum.visit { context in
            let readings = try #require(try context.only(Device.self).readings?.array as? [SensorReading])
            let (full, empty) = (readings[0], readings[1])
            #expect(full.boolean && full.count16 == .min && full.count32 == .max && full.count64 == .min)
            #expect(full.double == 0.1 && full.float == -1.5 && full.taken == 1000)
            #expect(full.noBoolean == false && full.noCount16 == 1 && full.noCount32 == 2 && full.noCount64 == 3)
            #expect(full.noDouble == 0.25 && full.noFloat == 0.5)
            #expect(!empty.boolean && empty.count16 == 0 && empty.count32 == 0 && empty.count64 == 0)
            #expect(empty.double == 0 && empty.float == 0 && empty.taken == -1 && empty.value(forKey: "count16") == nil)
            #expect(empty.noBoolean == nil && empty.noCount16 == nil && empty.noCount32 == nil && empty.noCount64 == nil)
            #expect(empty.noDouble == nil && empty.noFloat == nil)
            let early = try context.only(SensorReading.self, "taken < %@", Date(timeIntervalSinceReferenceDate: 0))
            #expect(early === empty && full.value(forKey: "taken") as? Date == Date(timeIntervalSinceReferenceDate: 1000))
        }
    }

    @Test("Derived attributes, fetched properties, composites, transient values, binary data beside the store")
    func others() throws {
        let museum = try TestMuseum()
        let image = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try museum.visit { context in
            let etching = Etching(context: context)
            etching.number = "E 1"
            etching.title = "Crème brûlée"
            for text in ["a", "b"] {
                let caption = Caption(context: context)
                caption.text = text
                etching.addToCaptions(caption)
            }
            let scan = Scan(context: context)
            scan.image = image
            scan.checksum = Data([1])
            scan.exhibit = etching
            let borrower = Borrower(context: context)
            borrower.name = "Town hall"
            borrower.address = ["street": "Main Street", "city": "Bergen", "floor": 2]
            let show = Exhibition(context: context)
            show.title = "Prints"
            for price in [5, 15, 20] {
                let admission = Admission(context: context)
                admission.price = NSDecimalNumber(value: price)
                admission.sold = Date()
                show.addToAdmissions(admission)
            }
            let visitor = Visitor(context: context)
            visitor.nickname = "Ada"
            #expect(visitor.hello == "Hello, Ada" && visitor.changedValues()["greeting"] == nil)
            try context.save()
            context.refresh(etching, mergeChanges: false)
            #expect(etching.captionCount == 2)
            #expect(etching.searchTitle == "creme brulee" && etching.edition == 1)
        }
        try museum.visit { context in
            let etching = try context.only(Etching.self, "searchTitle CONTAINS %@ AND captionCount == 2", "brulee")
            #expect((etching.changed?.timeIntervalSinceNow ?? -100) > -60)
            #expect((etching.scans?.anyObject() as? Scan)?.image == image)
            let borrower = try context.only(Borrower.self, "address.city == %@", "Bergen")
            #expect(borrower.address?["floor"] as? Int == 2 && borrower.address?["street"] as? String == "Main Street")
            let show = try context.only(Exhibition.self)
            #expect(show.expensiveAdmissions.compactMap { $0.price?.intValue }.sorted() == [15, 20])
            let visitor = try context.only(Visitor.self)
            #expect(visitor.greeting == nil && visitor.hello == "Hello, Ada" && !context.hasChanges)
        }
    }

    @Test("Primitive values change without anybody being told; enumerations over a number; hooks")
    func primitives() throws {
        try TestMuseum().visit { context in
            let statue = Statue(context: context)
            statue.number = "S 1"
            statue.title = "  Rider "
            statue.kind = .wood
            try context.save()
            #expect(statue.title == "Rider" && statue.material == 2 && statue.kind == .wood && statue.acquired != nil)
            statue.countView()
            #expect(statue.views == 1 && !statue.hasChanges)
            let scan = Scan(context: context)
            scan.exhibit = statue
            try context.save()
            context.delete(scan)
            #expect(statue.title == "(unscanned)")
            let visitor = Visitor(context: context)
            try context.save()
            let before = Visitor.faults
            context.refresh(visitor, mergeChanges: false)
            #expect(Visitor.faults == before + 1)
        }
    }

    @Test("Changes of properties of another module are observed by key path")
    func observing() throws {
        try TestMuseum().visit { context in
            let maker = Maker(context: context)
            maker.name = "Ida Holm"
            var told: [String?] = []
            let observation = maker.observe(\.name, options: [.old, .new]) { _, change in
                told += [change.oldValue ?? nil, change.newValue ?? nil]
            }
            maker.name = "Ida Berg"
            observation.invalidate()
            maker.name = "Nobody"
            #expect(told == ["Ida Holm", "Ida Berg"] && maker.initials == "N" && maker.isAnonymous == nil)
        }
    }
}
