public import DataModel
import Foundation
import ObjectGraph
import Predicates

/// A contradiction between classes and a model, or a mistake or a doubtful detail in either.
public struct ModelIssue: Hashable, Sendable, CustomStringConvertible {
    /// The severity of the issue.
    public enum Severity: Hashable, Sendable {
        /// The classes can't be used with the model.
        case error
        /// The classes can be used with the model, but a property may not behave as its type says. Examples are a Swift type that
        /// is not optional for an optional property, the opposite, and a relationship without an inverse.
        case warning
    }

    /// The severity of the issue.
    public let severity: Severity
    /// A sentence that names the class, the property, the Swift type and the model's type.
    public let description: String
}

extension NSManagedObjectModel {
    /// Everything in which classes and this model contradict each other. Use it in a test that runs in continuous integration.
    ///
    /// ```swift
    /// @Test func classesFitTheModel() throws {
    ///     let model = try NSManagedObjectModel(readingModelAt: url)
    ///     #expect(model.issues(for: Director.self, Movie.self) == [])
    /// }
    /// ```
    ///
    /// The method does not load or change anything. `NSPersistentContainer(name:managedObjectModel:entities:)` throws the errors.
    /// With `checking: .strict` it throws the warnings too.
    ///
    /// - Parameter types: The classes.
    public func issues(for types: any TypedObject.Type...) -> [ModelIssue] { issues(for: types) }

    /// Everything in which classes and this model contradict each other. See the form with single arguments.
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
    /// Details that are allowed but may be surprising.
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

/// How strictly classes are compared with a model that was not made from them.
public enum ModelChecking: Sendable {
    /// Only contradictions that make reading or writing impossible are errors.
    case standard
    /// All warnings of `NSManagedObjectModel.issues(for:)` are errors too, for example a Swift type that is not optional for an
    /// optional property.
    case strict
}
