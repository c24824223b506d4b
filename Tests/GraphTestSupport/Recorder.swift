import Foundation
public import ObjectGraph

/// A managed object that writes down which hooks are called on it.
open class Recorder: NSManagedObject {
    /// What to do in a hook, for all objects of one context; see `NSManagedObjectContext.react(_:)`.
    package final class Reaction {
        package let body: (Recorder, String) throws -> Void

        package init(_ body: @escaping (Recorder, String) throws -> Void) { self.body = body }
    }

    package private(set) var calls: [String] = []
    /// A property that no model has.
    package var remark = ""

    /// The calls since the last look.
    package func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    private func note(_ hook: String) {
        calls.append(hook)
        try? (managedObjectContext?.userInfo["reaction"] as? Reaction)?.body(self, hook)
    }

    private func validate(_ hook: String) throws {
        calls.append(hook)
        try (managedObjectContext?.userInfo["reaction"] as? Reaction)?.body(self, hook)
    }

    open override func awakeFromInsert() {
        super.awakeFromInsert()
        note("awakeFromInsert")
    }

    open override func awakeFromFetch() {
        super.awakeFromFetch()
        note("awakeFromFetch")
    }

    open override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        note("awakeFromSnapshotEvents \(flags.rawValue)")
    }

    open override func prepareForDeletion() {
        super.prepareForDeletion()
        note("prepareForDeletion")
    }

    open override func willSave() {
        super.willSave()
        note("willSave")
    }

    open override func didSave() {
        super.didSave()
        note("didSave")
    }

    open override func willTurnIntoFault() {
        super.willTurnIntoFault()
        note("willTurnIntoFault")
    }

    open override func didTurnIntoFault() {
        super.didTurnIntoFault()
        note("didTurnIntoFault")
    }

    open override func validateForInsert() throws {
        try validate("validateForInsert")
        try super.validateForInsert()
    }

    open override func validateForUpdate() throws {
        try validate("validateForUpdate")
        try super.validateForUpdate()
    }

    open override func validateForDelete() throws {
        try validate("validateForDelete")
        try super.validateForDelete()
    }
}

extension NSManagedObjectContext {
    /// Has a closure called in each hook of each `Recorder` of the context, with the hook's name. What it throws in a validation is its result.
    package func react(_ body: @escaping (Recorder, String) throws -> Void) { userInfo["reaction"] = Recorder.Reaction(body) }

    package func stopReacting() { userInfo.removeObject(forKey: "reaction") }
}
