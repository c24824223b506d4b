import CoreData
import Foundation
import Museum
import Testing

@Suite("The relationships of a model layer as Xcode writes it, and their generated accessors")
struct RelationshipTests {
    @Test("R65: the four accessors of a set, one to many and many to many, among objects of several subclasses")
    func sets() throws {
        let museum = try TestMuseum()
        try museum.visit { context in
            let exhibits: [Exhibit] = [Canvas(context: context), Statue(context: context), Etching(context: context)]
            for (index, exhibit) in exhibits.enumerated() { exhibit.number = "\(index)" }
            let maker = Maker(context: context)
            maker.name = "Ida Holm"
            maker.addToWorks(exhibits[0])
            maker.addToWorks(NSSet(array: exhibits))
            maker.removeFromWorks(exhibits[1])
            #expect(maker.works?.count == 2 && exhibits[0].makers == [maker] && exhibits[1].makers?.count == 0)
            maker.removeFromWorks(NSSet(array: [exhibits[1], exhibits[2]]))
            let pupil = Maker(context: context)
            pupil.name = "Per Moe"
            pupil.addToTeachers(maker)
            let gallery = Gallery(context: context)
            gallery.name = "East"
            gallery.addToExhibits(NSSet(array: exhibits))
            exhibits[2].gallery = nil
            try context.save()
        }
        try museum.visit { context in
            let maker = try context.only(Maker.self, "pupils.@count == 1")
            #expect(maker.works?.allObjects.map { type(of: $0) is Canvas.Type } == [true])
            #expect((maker.pupils?.anyObject() as? Maker)?.name == "Per Moe")
            let gallery = try context.only(Gallery.self, "ANY exhibits.number == %@", "1")
            #expect(Set(gallery.exhibits?.compactMap { ($0 as? Exhibit)?.number } ?? []) == ["0", "1"])
            #expect(try context.count(for: Exhibit.fetchRequest()) == 3 && context.count(for: Statue.fetchRequest()) == 1)
        }
    }

    @Test("R65: the ten accessors of an ordered set, whose order the store keeps")
    func orderedSets() throws {
        let museum = try TestMuseum()
        try museum.visit { context in
            let floor = Floor(context: context)
            let galleries = (0..<8).map { number in
                let gallery = Gallery(context: context)
                gallery.name = "\(number)"
                return gallery
            }
            func names() -> String { (floor.galleries?.array as? [Gallery] ?? []).compactMap(\.name).joined() }
            floor.addToGalleries(galleries[0])
            floor.addToGalleries(NSOrderedSet(array: [galleries[1], galleries[2]]))
            floor.insertIntoGalleries(galleries[3], at: 0)
            floor.insertIntoGalleries([galleries[4], galleries[5]], at: NSIndexSet(indexesIn: NSRange(location: 1, length: 2)))
            #expect(names() == "345012")
            floor.removeFromGalleries(at: 0)
            floor.removeFromGalleries(at: NSIndexSet(index: 1))
            #expect(names() == "4012")
            floor.replaceGalleries(at: 0, with: galleries[6])
            floor.replaceGalleries(at: NSIndexSet(index: 3), with: [galleries[7]])
            #expect(names() == "6017")
            floor.removeFromGalleries(galleries[0])
            floor.removeFromGalleries(NSOrderedSet(array: [galleries[7]]))
            #expect(names() == "61" && galleries[0].floor == nil && galleries[1].floor === floor)
            floor.insertIntoGalleries(galleries[2], at: 1)
            try context.save()
        }
        try museum.visit { context in
            let floor = try context.only(Floor.self)
            #expect(floor.galleries?.compactMap { ($0 as? Gallery)?.name } == ["6", "2", "1"])
        }
    }

    @Test("Ordered many to many, to one among objects of one entity, one to one")
    func forms() throws {
        let museum = try TestMuseum()
        try museum.visit { context in
            let canvases = (0..<3).map { number in
                let canvas = Canvas(context: context)
                canvas.number = "\(number)"
                return canvas
            }
            for title in ["Light", "Sea"] {
                let show = Exhibition(context: context)
                show.title = title
                show.addToExhibits(NSOrderedSet(array: title == "Sea" ? canvases.reversed() : Array(canvases[...1])))
            }
            let (boss, keeper) = (Keeper(context: context), Keeper(context: context))
            (boss.name, keeper.name) = ("Boss", "Keeper")
            keeper.boss = boss
            let (first, second) = (Etching(context: context), Etching(context: context))
            (first.number, second.number) = ("E 1", "E 2")
            second.stateOf = first
            #expect(first.states === second && boss.staff == [keeper])
            try context.save()
        }
        try museum.visit { context in
            let sea = try context.only(Exhibition.self, "title == %@", "Sea")
            #expect(sea.exhibits?.compactMap { ($0 as? Canvas)?.number } == ["2", "1", "0"])
            #expect(try context.only(Canvas.self, "exhibitions.@count == 1").number == "2")
            #expect(try context.only(Keeper.self, "boss.name == %@", "Boss").name == "Keeper")
            #expect(try context.only(Etching.self, "stateOf != nil").stateOf?.states?.number == "E 2")
        }
    }

    @Test("Delete rules: cascade, nullify, deny, and a class's own")
    func deletions() throws {
        try TestMuseum().visit { context in
            let canvas = Canvas(context: context)
            canvas.number = "1"
            let caption = Caption(context: context)
            caption.exhibit = canvas
            let loan = Loan(context: context)
            let borrower = Borrower(context: context)
            borrower.name = "School"
            (loan.exhibit, loan.borrower, loan.starts) = (canvas, borrower, Date())
            let (boss, keeper) = (Keeper(context: context), Keeper(context: context))
            (boss.name, keeper.name, keeper.boss) = ("Boss", "Keeper", boss)
            try context.save()
            context.delete(canvas)
            #expect(context.failureOfSave() == (NSValidationRelationshipDeniedDeleteError, ["loans"]))
            context.rollback()
            context.delete(boss)
            #expect(context.failureOfSave() == (NSValidationRelationshipDeniedDeleteError, ["staff"]))
            context.rollback()
            context.delete(borrower)
            context.delete(canvas)
            try context.save()
            #expect(try context.count(for: Caption.fetchRequest()) == 0 && context.count(for: Loan.fetchRequest()) == 0)
        }
    }
}
