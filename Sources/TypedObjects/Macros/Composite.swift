/// Makes a struct the type of a composite attribute. Its properties are the elements.
///
/// ```swift
/// @Composite struct Address: Equatable {
///     var street: String
///     var zip: String?
///     var country: Country = .france       // any type that an attribute can have, other composites too
/// }
///
/// @Entity final class Person: NSManagedObject {
///     var home: Address
///     var work: Address?                    // nil if all elements are nil
/// }
/// ```
///
/// `@Attribute` gives an element another stored name, limits, and other details that attributes can have. A composite can't have
/// relationships. A struct that you read is a copy. Change it through the object, as in `person.home.zip = "75001"`.
@attached(
    extension, conformances: CompositeValue,
    names: named(_compositeSchema), named(_typedKeyPaths), named(init), named(_write))
public macro Composite() = #externalMacro(module: "TypedObjectsMacros", type: "CompositeMacro")
