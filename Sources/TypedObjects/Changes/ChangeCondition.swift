import Foundation
import ObjectGraph
import Predicates

/// Which changes are asked for. A description only: ``ChangeFilter`` applies it.
struct ChangeCondition<Object: NSManagedObject> {
    private var parts: [Part] = []
    /// The names of properties, one of which has to be changed; none for all.
    private(set) var names: [String] = []
    private var kinds: Notification.ChangedType = []
    /// The only object.
    var object: WeakObject?
    /// Whether to tell of each save in place of each round.
    var isOfSaves = false
    /// Whether references are made when a round is told, for readers on other threads.
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

    /// Stops the program for a key path to anything but managed properties.
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

    /// The kinds asked for. If there are none: of a class what comes, changes and goes; of one object everything.
    var askedKinds: Notification.ChangedType {
        guard kinds.isEmpty else { return kinds }
        return object == nil ? .all : [.all, .refreshed, .invalidated]
    }

    /// Whether an object fulfils all parts; nil if there are none.
    func test(in context: NSManagedObjectContext) -> ((Object) throws -> Bool)? {
        let tests = parts.map { Self.test($0, in: context) }
        if tests.count < 2 { return tests.first }
        return { object in try tests.allSatisfy { try $0(object) } }
    }

    private static func test(_ part: Part, in context: NSManagedObjectContext) -> (Object) throws -> Bool {
        do {
            switch part {
            case .swift(let predicate):
                // What can't be stored, or is wrong, is evaluated as it is: it will throw for each object then.
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
