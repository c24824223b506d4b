public import Foundation

/// A place in the history of one or several stores. What is saved later comes after it.
///
/// Keep the token of what a program has seen, and ask for what comes after it with
/// ``NSPersistentHistoryChangeRequest/fetchHistory(after:)-(NSPersistentHistoryToken?)``. A token can be archived with
/// `NSKeyedArchiver`; the archive is not Apple's. Tokens of one store have an order, and may be compared in predicates. Every
/// thread may use a token.
public final class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The numbers of transactions, by the UUIDs of stores.
    let numbers: [String: Int64]

    init(_ numbers: [String: Int64]) {
        self.numbers = numbers
        super.init()
    }

    /// The token itself, since tokens don't change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool { (object as? NSPersistentHistoryToken)?.numbers == numbers }

    public override var hash: Int { numbers.hashValue }

    public override var description: String {
        let places = numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "<NSPersistentHistoryToken \(places.joined(separator: ", "))>"
    }

    // MARK: Archiving

    private static let key = "transactions"

    /// True: an archive that asks for secure coding takes it.
    public static var supportsSecureCoding: Bool { true }

    /// Encodes the token for ``init(coder:)``.
    public func encode(with coder: NSCoder) {
        // What can't be encoded here is no dictionary of texts and numbers.
        guard let list = try? PropertyListSerialization.data(fromPropertyList: numbers, format: .binary, options: 0) else {
            return
        }
        coder.encode(list as NSData, forKey: Self.key)
    }

    /// Decodes a token; nil for an archive that does not hold one.
    public init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: Self.key) as Data?,
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let numbers = list as? [String: NSNumber], numbers.values.allSatisfy({ $0.int64Value >= 0 })
        else { return nil }
        self.numbers = numbers.mapValues(\.int64Value)
        super.init()
    }
}

extension NSPersistentHistoryToken: Comparable {
    /// Whether the left token is at an earlier place in some store, and at a later one in none. Only stores that both tokens
    /// name count.
    public static func < (left: NSPersistentHistoryToken, right: NSPersistentHistoryToken) -> Bool {
        var isLess = false
        for (store, number) in left.numbers {
            guard let other = right.numbers[store] else { continue }
            if number > other { return false }
            if number < other { isLess = true }
        }
        return isLess
    }
}
