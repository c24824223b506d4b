import Foundation

/// A property whose value is what a fetch request finds: looked up when it is first read, and kept until the object is refreshed.
///
/// The request's predicate may use `$FETCH_SOURCE`, the object, and `$FETCHED_PROPERTY`, this description. Give the description
/// its request by `fetchRequest`. A fetched property is never stored and can't be set.
///
/// Thread rules as for `NSPropertyDescription`.
// @unchecked Sendable: as for the superclass, all setters are guarded by `requireMutable()`.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
    /// What to find; nil for nothing.
    package final var fetchSettings: FetchSettings? { willSet { requireMutable() } }

    /// Makes a description without name and request.
    public required init() {
        super.init()
        isTransient = true
    }

    package override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        (copy as? NSFetchedPropertyDescription)?.fetchSettings = fetchSettings
    }
}
