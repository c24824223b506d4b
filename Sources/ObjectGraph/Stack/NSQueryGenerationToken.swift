import DataModel
import Foundation

/// Stands for one state of a coordinator's stores, from which a context reads whatever is saved later; see
/// ``NSManagedObjectContext/setQueryGenerationFrom(_:)``.
///
/// Two tokens are equal if they stand for the same state. A token keeps its state readable, and SQLite's write-ahead log growing with each save, until it
/// is let go of: don't keep one that nobody reads by. May be used on every thread.
///
/// An archived token can be read again in the same process, while the state is still held by somebody; reading it elsewhere is an error. ``current`` can
/// be read everywhere.
public final class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// Nil for `current`.
    let generation: QueryGeneration?

    init(_ generation: QueryGeneration?) {
        self.generation = generation
        super.init()
    }

    /// Whatever is the newest state when a context that was pinned by it reads next.
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

    /// Writes which state the token stands for, not the state itself.
    public func encode(with coder: NSCoder) {
        coder.encode((generation?.identifier.uuidString ?? "") as NSString, forKey: Self.generationKey)
    }

    /// Reads a token. Nil, with the coder's error set, if it is none or if its state is gone.
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
                    "A query generation can't be read: it was of another process, or nobody holds it any more"))
            return nil
        }
        generation = known
        super.init()
    }

    /// Whether it is the current generation, or which one.
    public override var description: String {
        "<NSQueryGenerationToken \(generation.map { $0.identifier.uuidString } ?? "current")>"
    }
}

/// The key, in the `NSManagedObjectContextDidSave` of a context that reads from a query generation, of the token that it reads by from then on.
public let NSManagedObjectContextQueryGenerationKey = "NSManagedObjectContextQueryGenerationKey"
