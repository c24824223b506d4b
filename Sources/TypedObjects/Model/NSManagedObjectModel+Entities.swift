public import DataModel
import Foundation
import ObjectGraph

extension NSManagedObjectModel {
    /// Makes a model from classes: what their properties' types and attributes say is all there is to say.
    ///
    /// ```swift
    /// let model = try NSManagedObjectModel(Director.self, Movie.self, Scene.self)
    /// ```
    ///
    /// Not optional means required; `Set` is an unordered to-many relationship, an array an ordered one; an inverse that one side
    /// names holds for both; a class that inherits from another entity's class gets a subentity of it. Superclasses need not be
    /// listed, destinations of relationships must be.
    ///
    /// - Throws: one `NSError` (134060, `NSCoreDataError`) that lists everything that is wrong; each fault is also an error of
    ///   its own under `NSDetailedErrorsKey`.
    public convenience init(_ first: any TypedObject.Type, _ others: any TypedObject.Type...) throws {
        try self.init(entities: [first] + others)
    }

    /// Makes a model from a list of classes. See `init(_:_:)`.
    ///
    /// Two relationships that lead to each other's class while neither names the other as its inverse are told of on standard
    /// error, once in a process.
    ///
    /// - Parameters:
    ///   - types: the classes.
    ///   - checking: with `.strict`, such relationships are errors, and so is every relationship without inverse that does not
    ///     say `inverse: nil`.
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

    /// A model whose entities have these classes: the model itself where they already do, else a copy.
    ///
    /// - Throws: one error with everything in which classes and entities disagree.
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
