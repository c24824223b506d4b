public import DataModel
import Foundation
import ObjectGraph
import Predicates

/// Something in which classes and a model disagree, or that is wrong or doubtful about either.
public struct ModelIssue: Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: Hashable, Sendable {
        /// The classes can't be used with the model.
        case error
        /// They can, but not everything will be as the class says: a Swift type that isn't optional for an optional property, or
        /// the other way round; a relationship without inverse.
        case warning
    }

    /// How bad it is.
    public let severity: Severity
    /// One sentence with class, property, Swift type and model type.
    public let description: String
}

extension NSManagedObjectModel {
    /// Everything in which classes and this model disagree: for a test that runs in continuous integration.
    ///
    /// ```swift
    /// @Test func classesFitTheModel() throws {
    ///     let model = try NSManagedObjectModel(readingModelAt: url)
    ///     #expect(model.issues(for: Director.self, Movie.self) == [])
    /// }
    /// ```
    ///
    /// Nothing is loaded or changed. Errors are what `NSPersistentContainer(name:managedObjectModel:entities:)` throws, warnings
    /// what it throws besides with `checking: .strict`.
    ///
    /// - Parameter types: the classes.
    public func issues(for types: any TypedObject.Type...) -> [ModelIssue] { issues(for: types) }

    /// Everything in which classes and this model disagree. See the form with single arguments.
    public func issues(for types: [any TypedObject.Type]) -> [ModelIssue] {
        types.flatMap { type -> [ModelIssue] in
            let name = type._typedSchema.entityName
            guard let entity = entitiesByName[name] else {
                return [ModelIssue(severity: .error, description: "\(type): the model has no entity “\(name)”")]
            }
            let errors = type._typeMismatches(with: entity).map { ModelIssue(severity: .error, description: $0) }
            return errors + TypeCheck.warnings(of: type, with: entity).map { ModelIssue(severity: .warning, description: $0) }
        }
    }
}

extension TypeCheck {
    /// What is allowed and can still surprise.
    static func warnings(of type: any TypedObject.Type, with entity: NSEntityDescription) -> [String] {
        let schema = type._typedSchema
        var warnings: [String] = []
        if schema.isAbstract != entity.isAbstract {
            let (one, other) = schema.isAbstract ? ("class", "entity") : ("entity", "class")
            warnings.append("\(type): the \(one) is abstract, the \(other) is not")
        }
        for property in properties(of: type, toCompareWith: entity) {
            guard let found = entity.propertiesByName[property.storedName] else { continue }
            if let relationship = found as? NSRelationshipDescription {
                if relationship.inverseRelationship == nil, !property.hasNoInverse {
                    warnings.append("\(type).\(property.name): the relationship has no inverse")
                }
                if relationship.isToMany { continue }
            }
            if case .fetched(let fetch) = property.kind {
                let predicate = (found as? NSFetchedPropertyDescription)?.fetchRequest?.predicate.map(PredicateNode.init)
                if let own = fetch.format.flatMap({ try? NSPredicate(validating: $0) }).map(PredicateNode.init), own != predicate
                {
                    let texts = [own, predicate].map { $0.map(PredicatePrinter.print) ?? "everything" }
                    warnings.append("\(type).\(property.name): the class fetches “\(texts[0])”, the model “\(texts[1])”")
                }
                continue
            }
            guard property.isOptional != found.isOptional else { continue }
            let model = found.isOptional ? "optional" : "required"
            warnings.append(
                "\(type).\(property.name): Swift type \(describe(property.type)), model type \(model) \(describe(found))")
        }
        return warnings
    }
}

/// How closely classes are compared with a model that comes from elsewhere.
public enum ModelChecking: Sendable {
    /// Only what would make reading or writing impossible is an error.
    case standard
    /// A Swift type that isn't optional for an optional property is an error too, and so is everything else that
    /// `NSManagedObjectModel.issues(for:)` warns of.
    case strict
}
