import Foundation
public import OpenCoreData

/// Objects as a dictionary literal: by entity, by label, by property.
///
/// ```swift
/// let fixtures: Fixtures = [
///     "Director": ["kurosawa": ["name": "Akira Kurosawa"]],
///     "Movie": [
///         "ran": ["title": "Ran", "duration": 162, "director": "kurosawa"],
///         "ikiru": ["title": "Ikiru", "director": "kurosawa"],
///     ],
/// ]
/// let objects = try context.insert(fixtures)
/// let ran = try objects["ran", as: Movie.self]
/// ```
///
/// The value of a relationship is the label of an object, or an array of labels; a label may be used before its object
/// is written. A property that is left out has the model's default value.
public struct Fixtures: ExpressibleByDictionaryLiteral, Sendable {
    let entities: [(name: String, objects: FixtureObjects)]

    /// Makes fixtures from names of entities and their objects.
    public init(dictionaryLiteral elements: (String, FixtureObjects)...) { entities = elements.map { ($0.0, $0.1) } }
}

/// The objects of one entity in ``Fixtures``: labels and values.
public struct FixtureObjects: ExpressibleByDictionaryLiteral, Sendable {
    let objects: [(label: String, values: FixtureValues)]

    /// Makes objects from labels and values.
    public init(dictionaryLiteral elements: (String, FixtureValues)...) { objects = elements.map { ($0.0, $0.1) } }
}

/// The values of one object in ``Fixtures``, by the names of the properties in the model.
public struct FixtureValues: ExpressibleByDictionaryLiteral, Sendable {
    let values: [(property: String, value: FixtureValue)]

    /// Makes values from names of properties.
    public init(dictionaryLiteral elements: (String, FixtureValue)...) { values = elements.map { ($0.0, $0.1) } }
}

/// A value in ``Fixtures``: a literal, or anything else by ``value(_:)``.
public enum FixtureValue: Sendable {
    /// No value.
    case none
    /// The value of an attribute: a `Date`, a `Data`, a `UUID`, …
    case value(any Sendable)
    /// A text, or the label of a relationship's destination.
    case text(String)
    /// The labels of a relationship's destinations.
    case labels([String])
}

extension FixtureValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation
{
    /// A text or a label.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .value(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .value(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .value(value) }
    /// No value.
    public init(nilLiteral: ()) { self = .none }
    /// Labels.
    public init(arrayLiteral elements: String...) { self = .labels(elements) }
}

/// The objects that a context made of ``Fixtures``, by label.
public struct InsertedFixtures {
    /// The objects by label.
    public let objects: [String: NSManagedObject]

    /// The object with a label.
    ///
    /// - Throws: a ``TestSupportError`` if there is none, or if it is not of the class.
    public subscript<Object: NSManagedObject>(label: String, as type: Object.Type) -> Object {
        get throws {
            guard let object = objects[label] else {
                throw TestSupportError(
                    "No fixture has the label “\(label)”. The labels are: \(objects.keys.sorted().joined(separator: ", ")).")
            }
            if let object = object as? Object { return object }
            throw TestSupportError("The fixture “\(label)” is a \(Swift.type(of: object)), not a \(type).")
        }
    }
}
