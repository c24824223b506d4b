import Foundation
import ObjectGraph

/// A managed object that writes down which hooks are called on it.
class Recorder: NSManagedObject {
    /// What to do in a hook, for all objects of one context; see `NSManagedObjectContext.react(_:)`.
    final class Reaction {
        let body: (Recorder, String) throws -> Void

        init(_ body: @escaping (Recorder, String) throws -> Void) { self.body = body }
    }

    private(set) var calls: [String] = []
    /// A property that no model has.
    var remark = ""

    /// The calls since the last look.
    func takeCalls() -> [String] {
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

    override func awakeFromInsert() {
        super.awakeFromInsert()
        note("awakeFromInsert")
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        note("awakeFromFetch")
    }

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        note("awakeFromSnapshotEvents \(flags.rawValue)")
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        note("prepareForDeletion")
    }

    override func willSave() {
        super.willSave()
        note("willSave")
    }

    override func didSave() {
        super.didSave()
        note("didSave")
    }

    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        note("willTurnIntoFault")
    }

    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        note("didTurnIntoFault")
    }

    override func validateForInsert() throws {
        try validate("validateForInsert")
        try super.validateForInsert()
    }

    override func validateForUpdate() throws {
        try validate("validateForUpdate")
        try super.validateForUpdate()
    }

    override func validateForDelete() throws {
        try validate("validateForDelete")
        try super.validateForDelete()
    }
}

extension NSManagedObjectContext {
    /// Has a closure called in each hook of each `Recorder` of the context, with the hook's name. What it throws in a validation is its result.
    func react(_ body: @escaping (Recorder, String) throws -> Void) { userInfo["reaction"] = Recorder.Reaction(body) }

    func stopReacting() { userInfo.removeObject(forKey: "reaction") }
}
