import Foundation
import OpenCoreData

// The code of Errors.md: a test compares the two.

enum ErrorExamples {
    @Entity final class Director: NSManagedObject {
        @Attribute(.length(1...80)) var name: String
        @Relationship(deleteRule: .deny, inverse: \Movie.director) var movies: Set<Movie>
    }

    @Entity final class Movie: NSManagedObject {
        @Attribute(.unique) var imdbID: String
        @Attribute(.length(1...200)) var title: String
        @Attribute(.range(1...900)) var minutes: Int = 90
        var director: Director
    }

    static func messages(for error: any Error) -> [String] {
        let movies = error.validationFailures(of: Movie.self).map { failure in
            switch (failure.keyPath, failure.code) {
            case (\.title, _): "Please enter a title of at most 200 letters."
            case (\.minutes, .validationNumberTooLarge): "A movie of \(failure.value ?? "") minutes is too long."
            case (\.director, .validationMissingMandatoryProperty): "Please choose a director."
            default: "Please check the movie’s \(failure.storedName)."
            }
        }
        let directors = error.validationFailures(of: Director.self).map { failure in
            switch failure.code {
            case .validationRelationshipDeniedDelete: "\(failure.object.name) still has movies in the list."
            default: "Please check the director’s \(failure.storedName)."
            }
        }
        return movies + directors
    }

    static func describe(_ error: any Error) {
        let error = error as NSError
        for detail in error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error] {
            print(detail.code, detail.localizedDescription)
        }
    }

    enum Outcome: Equatable {
        case saved
        case invalid([String])
        case changedElsewhere
        case exists
        case failed
    }

    static func save(_ context: NSManagedObjectContext, log: (String) -> Void) -> Outcome {
        do {
            try context.save()
            return .saved
        } catch {
            let messages = messages(for: error)
            guard messages.isEmpty else { return .invalid(messages) }
            log(error.localizedDescription)
            return switch (error as? CocoaError)?.code {
            case .managedObjectMerge?: .changedElsewhere
            case .managedObjectConstraintMerge?: .exists
            default: .failed
            }
        }
    }

    static func takeTheirs(_ error: CocoaError, in context: NSManagedObjectContext) throws {
        for conflict in error.persistentStoreSaveConflicts ?? [] {
            context.refresh(conflict.sourceObject, mergeChanges: false)
        }
        try context.save()
    }

    static func duplicates(_ error: any Error) -> [NSManagedObject] {
        let conflicts = (error as NSError).userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        return conflicts?.flatMap(\.conflictingObjects) ?? []
    }

    static func open(_ container: NSPersistentContainer) throws -> String? {
        do {
            try container.loadPersistentStores()
            return nil
        } catch let error as CocoaError {
            return switch error.code {
            case .persistentStoreIncompatibleVersionHash: "The data was made by another version of this program."
            case .fileReadCorruptFile: "The data is damaged. Please restore a backup."
            case .persistentStoreTimeout: "Another program is using the data. Please try again."
            case .fileWriteOutOfSpace: "The disk is full."
            default: throw error
            }
        }
    }

    static func titles(in context: NSManagedObjectContext) throws -> [String] {
        let movies = try context.fetch(Movie.self)
        do {
            try context.load(movies, \.director)
        } catch let failure as ReadingFailure {
            print("\(failure.entityName) \(failure.objectID): \(failure.storeError.code)")
            throw failure
        }
        return movies.map { "\($0.title) by \($0.director.name)" }
    }
}
