import Foundation
import OpenCoreData

struct Tags: OptionSet {
    let rawValue: Int16
    static let classic = Tags(rawValue: 1)
    static let silent = Tags(rawValue: 2)
}

struct Money: StorableValue, Hashable {
    var cents: Int64

    init(cents: Int64) { self.cents = cents }
    init?(storedValue: Int64) {
        guard storedValue >= 0 else { return nil }
        cents = storedValue
    }
    var storedValue: Int64 { cents }
}

struct Shot: Codable, Hashable {
    var name: String
    var seconds: Double
}

enum Country: String {
    case france, japan
}

@Composite struct Position: Equatable {
    var latitude: Double
    var longitude: Double
}

@Composite struct Address: Equatable {
    var street: String
    @Attribute("postcode") var zip: String?
    var country: Country = .france
    var position: Position?
}

@Composite struct Notes2: Equatable {
    var first: String?
    var second: Int?
}

final class Color: NSObject {
    let name: String

    init(name: String) { self.name = name }
    override func isEqual(_ object: Any?) -> Bool { (object as? Color)?.name == name }
    override var hash: Int { name.hashValue }
}

// @unchecked Sendable: it has no state.
final class ColorNameTransformer: ValueTransformer, @unchecked Sendable {
    override func transformedValue(_ value: Any?) -> Any? { (value as? Color).map { Data($0.name.utf8) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { Color(name: String(decoding: $0, as: UTF8.self)) }
    }
}

/// Every kind of value that is not one of the library's own types, required and optional.
@Entity final class Studio: NSManagedObject {
    var tiny: Int8 = -128
    var byte: UInt8?
    var word: UInt16?
    var long: UInt32?
    var tags: Tags = [.classic, .silent]
    var optionalTags: Tags?
    var budget: Money
    var reserve: Money?
    @Attribute(.codable) var shot: Shot
    @Attribute(.codable) var lastShot: Shot?
    @Attribute(.codable) var shots: [Shot] = []
    @Attribute(.codable) var counts: [String: Int]?
    var address: Address
    @Attribute("second") var branch: Address?
    var notes: Notes2
    @Attribute(.transformable(by: ColorNameTransformer())) var color: Color?
    @Attribute("paint", .transformable(by: ColorNameTransformer())) var paint: Color
    @Attribute(.transformable) var words: NSArray?
    var result: Result<Genre, PropertyValueError>
    var strict: Genre = .drama
    @Attribute(.derived("canonical:(title)")) var sortTitle: String?
    var title: String = "Éclair"
    @Ignored var cache: [Int: String] = [1: "one"]
    @Ignored var delegate: AnyObject?

    static func make(in context: NSManagedObjectContext) -> Studio {
        Studio(
            context: context, budget: Money(cents: 1250), shot: Shot(name: "a", seconds: .infinity),
            address: Address(street: "Rue 1", zip: "75001", position: Position(latitude: 48.9, longitude: 2.4)),
            notes: Notes2(), paint: Color(name: "red"), result: .success(.western))
    }
}

@Entity final class Shelf: NSManagedObject {
    @Relationship(inverse: \ShelfItem.shelf) var items: Set<ShelfItem>
    @Attribute(.derived("items.@count")) var itemCount: Int64?
}

@Entity final class ShelfItem: NSManagedObject {
    var shelf: Shelf?
}
