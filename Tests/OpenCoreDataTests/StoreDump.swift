import Foundation

/// What `store_oracle.py dump` prints, with exact numbers: `JSONSerialization` gets the last bits of some doubles wrong.
struct StoreDump: Decodable {
    struct Entity: Decodable {
        let count: Int
        let objects: [Object]
    }

    struct Object: Decodable {
        let id: String
        let version: Int
        let attributes: [String: Value]
        let relationships: [String: Related]
    }

    /// An attribute's value.
    enum Value: Decodable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        case text(String)
        case fields([String: Value])
        case list([Value])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let integer = try? container.decode(Int64.self) {
                self = .integer(integer)
            } else if let real = try? container.decode(Double.self) {
                self = .real(real)
            } else if let boolean = try? container.decode(Bool.self) {
                self = .boolean(boolean)
            } else if let fields = try? container.decode([String: Value].self) {
                self = .fields(fields)
            } else {
                self = .list(try container.decode([Value].self))
            }
        }
    }

    /// Identifiers of destinations.
    struct Related: Decodable {
        let identifiers: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                identifiers = []
            } else if let one = try? container.decode(String.self) {
                identifiers = [one]
            } else {
                identifiers = try container.decode([String].self)
            }
        }
    }

    struct Metadata: Decodable {
        let uuid: String
        let entityNumbers: [String: Int]
        let highestKeys: [String: Int]
    }

    let entities: [String: Entity]
    let metadata: Metadata

    init(_ data: Data) throws {
        self = try JSONDecoder().decode(StoreDump.self, from: data)
    }
}
