import DataModel
public import Foundation
import ObjectGraph

/// A validation error of one property of one object, with types.
///
/// ```swift
/// do {
///     try context.save()
/// } catch {
///     for failure in error.validationFailures(of: Movie.self) where failure.keyPath == \.title {
///         ask(for: failure.object, why: failure.code)          // .validationMissingMandatoryProperty
///     }
/// }
/// ```
public struct ValidationFailure<Object: TypedObject> {
    /// The object.
    public let object: Object
    /// The key path of the property, rooted at `Object`. It is nil if the class does not have the property.
    public let keyPath: PartialKeyPath<Object>?
    /// The property's name in the model.
    public let storedName: String
    /// The value that is not valid. It is nil if a value is missing.
    public let value: Any?
    /// The code of the validation error.
    public let code: CocoaError.Code
    /// The error's text.
    public let localizedDescription: String
}

extension Error {
    /// The validation errors of objects of a class in the error of a save. They are the error itself, or the errors under
    /// `NSDetailedErrorsKey`.
    ///
    /// Call it on the context's queue.
    public func validationFailures<Object: TypedObject>(of type: Object.Type) -> [ValidationFailure<Object>] {
        let error = self as NSError
        guard error.domain == NSCocoaErrorDomain else { return [] }
        if let details = error.userInfo[NSDetailedErrorsKey] as? [any Error] {
            return details.flatMap { $0.validationFailures(of: type) }
        }
        guard let object = error.userInfo[NSValidationObjectErrorKey] as? Object,
            let storedName = error.userInfo[NSValidationKeyErrorKey] as? String
        else { return [] }
        let table = TypedTable.of(type)
        let index = table?.properties.firstIndex { $0.storedName == storedName }
        return [
            ValidationFailure(
                object: object, keyPath: index.flatMap { table?.keyPaths[$0] as? PartialKeyPath<Object> }, storedName: storedName,
                value: error.userInfo[NSValidationValueErrorKey], code: CocoaError.Code(rawValue: error.code),
                localizedDescription: error.localizedDescription)
        ]
    }
}
