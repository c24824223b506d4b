import Storage
import Synchronization

/// The reference objects of a program's store, and the keys that stand for them in rows and registries.
///
/// A reference gets its key when it is first named, and keeps it. A positive number is its own key where that is free.
final class ReferenceTable: Sendable {
    /// What a key stands for.
    struct Owner: Hashable {
        let entity: String
        let reference: ReferenceObject
    }

    private struct Place: Hashable {
        let root: String
        let key: Int64
    }

    private struct State {
        var keys: [Owner: Int64] = [:]
        var owners: [Place: Owner] = [:]
        var next: [String: Int64] = [:]
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - entity: The object's own entity.
    ///   - root: The root of its family, in which keys are unique.
    func key(for reference: ReferenceObject, entity: String, root: String) -> Int64 {
        state.withLock { state in
            let owner = Owner(entity: entity, reference: reference)
            if let known = state.keys[owner] { return known }
            var key = state.next[root] ?? 1
            if case .number(let number) = reference, number > 0, state.owners[Place(root: root, key: number)] == nil {
                key = number
            } else {
                while state.owners[Place(root: root, key: key)] != nil { key += 1 }
                state.next[root] = key + 1
            }
            state.keys[owner] = key
            state.owners[Place(root: root, key: key)] = owner
            return key
        }
    }

    /// What a key stands for; nil for one that was never given.
    func owner(of key: Int64, root: String) -> Owner? { state.withLock { $0.owners[Place(root: root, key: key)] } }

    // MARK: By store

    private struct Entry {
        weak var table: ReferenceTable?
    }

    private static let tables = Mutex<[String: Entry]>([:])

    /// The table of the store with a UUID: the same one for all openings of the store, as long as somebody holds an ID
    /// of it.
    static func table(of identifier: String) -> ReferenceTable {
        tables.withLock { tables in
            if let known = tables[identifier]?.table { return known }
            let table = ReferenceTable()
            tables = tables.filter { $0.value.table != nil }
            tables[identifier] = Entry(table: table)
            return table
        }
    }
}
