import Foundation
import ObjectGraph
import Predicates

/// Describes which changes an observer asks for. ``ChangeFilter`` applies the description to rounds.
struct ChangeCondition<Object: NSManagedObject> {
    private var parts: [Part] = []
    /// The names of properties. At least one of them must have changed. If there are no names, every change counts.
    private(set) var names: [String] = []
    private var kinds: Notification.ChangedType = []
    /// The object that is observed alone, if there is one.
    var object: WeakObject?
    /// Whether each save is told, and not each round of changes before it.
    var isOfSaves = false
    /// Whether object references are made while a round is told, so that readers on other threads have them.
    var isForReaders = false

    struct WeakObject {
        weak let object: Object?
    }

    private enum Part {
        case swift(Predicate<Object>)
        case node(PredicateNode)
    }

    // MARK: Asking

    mutating func require(_ predicate: Predicate<Object>) { parts.append(.swift(predicate)) }

    mutating func require(_ node: PredicateNode) { parts.append(.node(node)) }

    /// Adds the properties at the ends of key paths. Stops the program if a key path does not lead to a managed property.
    mutating func add(_ keyPaths: [PartialKeyPath<Object>]) {
        names += keyPaths.map { keyPath in
            guard let name = KeyPathNames.storedPath(of: keyPath) else {
                preconditionFailure(
                    "\(keyPath) is not a managed property of \(Object.self): only these can be observed; for a path through optional relationships "
                        + "write a key, as in .changing(\(Object.self).keys.relationship.property)")
            }
            return name
        }
    }

    mutating func add(_ names: [String]) { self.names += names }

    mutating func add(_ kinds: Notification.ChangedType) { self.kinds.formUnion(kinds) }

    // MARK: What was asked

    /// The kinds of changes that are asked for. If no kind was named, a class tells of inserted, updated and deleted objects, and
    /// a single object tells of everything.
    var askedKinds: Notification.ChangedType {
        guard kinds.isEmpty else { return kinds }
        return object == nil ? .all : [.all, .refreshed, .invalidated]
    }

    /// A function that tells whether an object fulfils all parts of the condition. It is nil if there are no parts.
    func test(in context: NSManagedObjectContext) -> ((Object) throws -> Bool)? {
        let tests = parts.map { Self.test($0, in: context) }
        if tests.count < 2 { return tests.first }
        return { object in try tests.allSatisfy { try $0(object) } }
    }

    private static func test(_ part: Part, in context: NSManagedObjectContext) -> (Object) throws -> Bool {
        do {
            switch part {
            case .swift(let predicate):
                // A predicate that has no meaning in a store is evaluated as it is. If it is wrong, it throws for each object.
                guard let stored = try? context.storedForm(of: predicate),
                    let compiled = try? CompiledPredicate(PredicateNode(stored))
                else { return { try predicate.evaluate($0) } }
                return { try compiled.evaluate(object: $0) }
            case .node(let node):
                let compiled = try CompiledPredicate(node)
                return { try compiled.evaluate(object: $0) }
            }
        } catch {
            return { _ in throw error }
        }
    }
}
