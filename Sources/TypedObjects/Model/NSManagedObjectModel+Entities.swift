public import DataModel
import Foundation
import ObjectGraph

extension NSManagedObjectModel {
    /// Makes a model from classes. The types and macros of their properties describe the model completely.
    ///
    /// ```swift
    /// let model = try NSManagedObjectModel(Director.self, Movie.self, Scene.self)
    /// ```
    ///
    /// A property is required if its type is not optional. A `Set` is an unordered to-many relationship, and an array is an
    /// ordered one. An inverse that one side names applies to both. A class that inherits from another entity's class has a
    /// subentity of that entity. Superclasses need not be listed. Destinations of relationships must be listed.
    ///
    /// - Throws: One `NSError` (134060, `NSCoreDataError`) that lists all mistakes. Each mistake is also an error of its own
    ///   under `NSDetailedErrorsKey`.
    public convenience init(_ first: any TypedObject.Type, _ others: any TypedObject.Type...) throws {
        try self.init(entities: [first] + others)
    }

    /// Makes a model from a list of classes. See `init(_:_:)`.
    ///
    /// If two relationships lead to each other's class and neither names the other as its inverse, that is reported once in a
    /// process on standard error.
    ///
    /// - Parameters:
    ///   - types: The classes.
    ///   - checking: With `.strict`, such relationships are errors. Every relationship without an inverse is an error too, unless
    ///     it is declared with `inverse: nil`.
    public convenience init(entities types: [any TypedObject.Type], checking: ModelChecking = .standard) throws {
        self.init()
        let builder = ModelBuilder(types)
        let missingInverses = builder.missingInverses
        let strict = checking == .strict ? missingInverses : []
        try NSError.throwModelProblems(builder.problems + strict, "The classes do not make a valid model")
        entities = builder.entities
        if checking == .strict {
            let issues = issues(for: types)
            try NSError.throwModelProblems(issues.map(\.description), "The classes do not make a strict model")
        }
        missingInverses.forEach(Self.reportOnce)
    }

    /// A model whose entities have these classes. It is the model itself if its entities already have them, and otherwise a copy.
    ///
    /// - Throws: One error with all contradictions between the classes and their entities.
    package func binding(_ types: [any TypedObject.Type], checking: ModelChecking) throws -> NSManagedObjectModel {
        let issues = issues(for: types).filter { $0.severity == .error || checking == .strict }
        try NSError.throwModelProblems(issues.map(\.description), "The classes do not fit the model")
        let isBound = types.allSatisfy { type in
            entitiesByName[type._typedSchema.entityName]?.boundClass.map { $0 == type } ?? false
        }
        guard let model = isBound ? self : copy() as? NSManagedObjectModel else { return self }
        guard !isBound else { return model }
        let entities = model.entitiesByName
        for type in types {
            guard let entity = entities[type._typedSchema.entityName] else { continue }
            entity.boundClass = type
            entity.managedObjectClassName = String(reflecting: type)
        }
        return model
    }
}

extension NSError {
    fileprivate static func throwModelProblems(_ problems: [String], _ summary: String) throws {
        guard !problems.isEmpty else { return }
        let text = summary + ":\n" + problems.map { "  " + $0 }.joined(separator: "\n")
        let details = problems.map { problem in
            NSError.coreData(NSCoreDataError, problem)
        }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSCoreDataError,
            userInfo: [NSLocalizedDescriptionKey: text, NSDetailedErrorsKey: details])
    }
}
