public import Foundation

extension CocoaError {
    /// The object that is not valid.
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

    /// The name of the property that is not valid.
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

    /// The predicate that the value does not satisfy.
    public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }

    /// The value that is not valid.
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }

    /// The objects that the error is about.
    public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }

    /// The stores that the error is about.
    public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }
}
