public import Foundation

/// Makes a property of an `@Entity` class a fetched property. Its value is an array of objects of an `@Entity` class, which are
/// fetched when the property is first read.
///
/// ```swift
/// @Entity final class Movie: NSManagedObject {
///     var title: String
///     var genre: Genre
///     @FetchedProperty(
///         "genre == $FETCH_SOURCE.genre AND SELF != $FETCH_SOURCE", sortedBy: [NSSortDescriptor(key: "title", ascending: true)])
///     var similar: [Movie]
/// }
/// ```
///
/// `$FETCH_SOURCE` is the object that has the property. `$FETCHED_PROPERTY` is the property's `NSFetchedPropertyDescription`. Use
/// the names of the model if they differ from those in Swift.
///
/// A model that is made from classes uses the format and the sort descriptors, and making it reports mistakes in them. A model
/// from a file uses the request in the file. The fetched objects must be of the array's class.
///
/// The property can't be set, is not stored, and is not told to observers. The fetched objects are kept until the object is
/// refreshed. Call `context.refresh(movie, mergeChanges: true)` to fetch again. If the store has an error when the property is
/// read, the program stops, because a property can't throw.
///
/// - Parameters:
///   - format: Which objects to fetch, as a format string of `NSPredicate`, or nil for all objects of the array's class.
///   - storedName: The property's name in the model, if it differs from the name in Swift. It must be a string literal.
///   - sortDescriptors: The order. Without any, it is not specified.
///   - limit: The greatest number of objects, or 0 for no limit.
@attached(peer)
public macro FetchedProperty(
    _ format: String? = nil, storedName: String? = nil, sortedBy sortDescriptors: [NSSortDescriptor] = [], limit: Int = 0
) = #externalMacro(module: "TypedObjectsMacros", type: "FetchedPropertyMacro")
