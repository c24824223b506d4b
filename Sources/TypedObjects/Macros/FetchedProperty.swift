public import Foundation

/// Makes a property of an `@Entity` class one whose value is what a fetch finds: an array of objects of an `@Entity` class,
/// looked up when it is first read.
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
/// `$FETCH_SOURCE` is the object whose property it is, `$FETCHED_PROPERTY` the property's `NSFetchedPropertyDescription`. Names
/// are those of the model, where they differ from Swift's. A model made from classes takes format and sort descriptors, and
/// making it finds mistakes in them. With a model from a file the file's request holds; what it finds must be objects of the
/// array's class.
///
/// The property can't be set, is not stored, and observers don't hear of it. What it found is kept until the object is refreshed;
/// `context.refresh(movie, mergeChanges: true)` looks anew. An error of the store when it is read stops the program, because a
/// property can't throw.
///
/// - Parameters:
///   - format: which objects, as a format string of `NSPredicate`; nil for all of the array's class.
///   - storedName: the property's name in the model, if it is another one; a string literal.
///   - sortDescriptors: the order; without any it is not specified.
///   - limit: the greatest number of objects; 0 for no limit.
@attached(peer)
public macro FetchedProperty(
    _ format: String? = nil, storedName: String? = nil, sortedBy sortDescriptors: [NSSortDescriptor] = [], limit: Int = 0
) = #externalMacro(module: "TypedObjectsMacros", type: "FetchedPropertyMacro")
