import DataModel
public import Foundation

/// Stands for one state of a coordinator's stores. A context can read this state even if others save later; see
/// ``NSManagedObjectContext/setQueryGenerationFrom(_:)``.
///
/// Two tokens are equal if they stand for the same state. A token keeps its state readable until the token is released,
/// and meanwhile SQLite's write-ahead log grows with each save: don't keep a token that is not needed. May be used on
/// every thread.
///
/// An archived token can be read again in the same process, while a context or another token still holds the state.
/// Reading it elsewhere is an error. ``current`` can be read everywhere.
public final class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// Nil for `current`.
    let generation: QueryGeneration?

    init(_ generation: QueryGeneration?) {
        self.generation = generation
        super.init()
    }

    /// The state that is the newest when a context that was pinned with this token reads next.
    public class var current: NSQueryGenerationToken { NSQueryGenerationToken(nil) }

    /// The token itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other token stands for the same state.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? NSQueryGenerationToken).map { $0.generation === generation } ?? false
    }

    /// The same for equal tokens.
    public override var hash: Int { generation?.identifier.hashValue ?? 0 }

    // MARK: NSSecureCoding

    private static let generationKey = "NSQueryGeneration"

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the identifier of the token's state, not the state itself.
    public func encode(with coder: NSCoder) {
        coder.encode((generation?.identifier.uuidString ?? "") as NSString, forKey: Self.generationKey)
    }

    /// Reads a token. It is nil, and the coder's error is set, if the archive has no token or if the token's state is
    /// gone.
    public init?(coder: NSCoder) {
        let text = coder.decodeObject(of: NSString.self, forKey: Self.generationKey) as String?
        guard text != "" else {
            generation = nil
            super.init()
            return
        }
        guard let identifier = text.flatMap(UUID.init(uuidString:)), let known = QueryGeneration.living(identifier) else {
            coder.failWithError(
                NSError.coreData(
                    CocoaError.coderInvalidValue.rawValue,
                    "A query generation can't be read: it is from another process, or it was released"))
            return nil
        }
        generation = known
        super.init()
    }

    /// Says which generation it is, or that it is the current one.
    public override var description: String {
        "<NSQueryGenerationToken \(generation.map { $0.identifier.uuidString } ?? "current")>"
    }
}

/// The key in `NSManagedObjectContextDidSave` for a context that reads from a query generation. The value is the token
/// that the context uses from then on.
public let NSManagedObjectContextQueryGenerationKey = "NSManagedObjectContextQueryGenerationKey"
