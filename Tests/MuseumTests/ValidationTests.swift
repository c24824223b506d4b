import CoreData
import Foundation
import Museum
import Testing

@Suite("Validation in a model layer as Xcode writes it: by the model, by property, by object")
struct ValidationTests {
    @Test("What the model forbids: missing values and partners, lengths, patterns, least and greatest")
    func rules() throws {
        try TestMuseum().visit { context in
            let loan = Loan(context: context)
            loan.fee = -1
            #expect(
                context.failureOfSave() == (NSValidationMultipleErrorsError, ["borrower", "exhibit", "fee", "starts"]))
            context.rollback()
            let maker = Maker(context: context)
            maker.name = ""
            #expect(context.failureOfSave() == (NSValidationStringTooShortError, ["name"]))
            maker.name = String(repeating: "x", count: 61)
            #expect(context.failureOfSave() == (NSValidationStringTooLongError, ["name"]))
            maker.name = "Ida"
            maker.email = "nowhere"
            #expect(context.failureOfSave() == (NSValidationStringPatternMatchingError, ["email"]))
            maker.email = "Ida@Example.org"
            let stop = Stop(context: context)
            stop.minutes = 0
            #expect(context.failureOfSave() == (NSValidationNumberTooSmallError, ["minutes"]))
            stop.minutes = 1
            let show = Exhibition(context: context)
            show.title = "Four"
            for number in 0..<4 {
                let canvas = Canvas(context: context)
                canvas.number = "\(number)"
                show.addToExhibits(canvas)
            }
            #expect(context.failureOfSave() == (NSValidationRelationshipExceedsMaximumCountError, ["exhibits"]))
            show.removeFromExhibits(at: 0)
            let last = context.failureOfSave()
            #expect(last.code == 0)
            #expect(last.keys == [])
            #expect(maker.email == "ida@example.org")
        }
    }

    @Test("Methods of Objective-C's form, validateTitle(_:) and validateValue(_:forKey:), are called, throw and replace values")
    func methods() throws {
        try TestMuseum().visit { context in
            let canvas = Canvas(context: context)
            canvas.number = "1"
            canvas.title = "   "
            canvas.rank = 7
            do {
                try context.save()
                Issue.record("saved")
            } catch {
                #expect((error as NSError).domain == "Museum" && error.localizedDescription.hasSuffix("not 7."))
            }
            canvas.rank = 5
            canvas.title = " \t"
            try context.save()
            #expect(canvas.title == nil && canvas.rank == 5)
        }
    }

    @Test("validateForInsert and validateForUpdate; unique values of the whole hierarchy")
    func objects() throws {
        try TestMuseum().visit { context in
            let loan = Loan(context: context)
            let (canvas, borrower) = (Canvas(context: context), Borrower(context: context))
            (canvas.number, borrower.name) = ("1", "School")
            (loan.exhibit, loan.borrower) = (canvas, borrower)
            (loan.starts, loan.ends) = (Date(), Date(timeIntervalSinceNow: -1000))
            #expect(context.failureOfSave() == (NSManagedObjectValidationError, ["ends"]))
            loan.ends = nil
            #expect(context.failureOfSave() == (0, []))
            loan.ends = .distantPast
            #expect(context.failureOfSave() == (NSManagedObjectValidationError, ["ends"]))
            context.rollback()
            let statue = Statue(context: context)
            statue.number = "1"
            #expect(context.failureOfSave().code == NSManagedObjectConstraintMergeError)
        }
    }
}
