public import Foundation

/// Keeps the actions that undo and redo past changes.
///
/// Linux Foundation has no such class. This one has Apple's names and behaviour, with one difference: no run loop
/// ends a group. With ``groupsByEvent`` a group ends when a context that uses the manager processes its pending
/// changes, and at ``undo()``.
///
/// A manager belongs to the queue of the context that uses it, or to one thread.
open class UndoManager: NSObject {
    private enum Activity {
        case none, undoing, redoing
    }

    private var activity = Activity.none
    private var undoStack: [UndoGroup] = []
    private var redoStack: [UndoGroup] = []
    /// The open groups, the outermost first.
    private var openGroups: [UndoGroup] = []
    private var disablings = 0
    private var clients: [Client] = []

    private struct Client {
        weak var object: (any UndoManagerClient)?
    }

    /// Makes a manager with nothing to undo.
    public override init() { super.init() }

    // MARK: Grouping

    /// Whether changes are grouped automatically, one group for each processing of pending changes. True unless
    /// set.
    ///
    /// With false, each action outside `beginUndoGrouping()` … `endUndoGrouping()` is a group of its own. Apple's
    /// class raises an exception there.
    public final var groupsByEvent = true

    /// The number of open groups.
    public final var groupingLevel: Int { openGroups.count }

    /// Opens a group: actions that are registered until ``endUndoGrouping()`` are undone together.
    public final func beginUndoGrouping() {
        openGroups.append(UndoGroup())
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    /// Closes the group that was opened last. Does nothing if none is open. A group without actions is dropped.
    public final func endUndoGrouping() {
        post(.NSUndoManagerWillCloseUndoGroup)
        guard let group = openGroups.popLast() else { return }
        close(group)
        post(.NSUndoManagerDidCloseUndoGroup)
    }

    private func close(_ group: UndoGroup) {
        guard !group.actions.isEmpty else { return }
        if let parent = openGroups.last {
            parent.actions += group.actions
            if parent.name.isEmpty { parent.name = group.name }
        } else if activity == .undoing {
            redoStack.append(group)
        } else {
            undoStack.append(group)
            dropOldest()
        }
    }

    /// Closes the group that a registration opened by itself, because the event has ended.
    package final func endEvent() {
        guard openGroups.count == 1, openGroups[0].isEvent else { return }
        endUndoGrouping()
    }

    // MARK: Registering

    /// Whether registering has an effect. It has one unless ``disableUndoRegistration()`` was called more often
    /// than ``enableUndoRegistration()``.
    public final var isUndoRegistrationEnabled: Bool { disablings == 0 }

    /// Makes registrations without effect until ``enableUndoRegistration()``.
    public final func disableUndoRegistration() { disablings += 1 }

    /// Cancels one ``disableUndoRegistration()``.
    public final func enableUndoRegistration() { disablings = max(0, disablings - 1) }

    /// Registers an action that undoes a change. An action that is registered while undoing redoes the change.
    ///
    /// - Parameters:
    ///   - target: The object that the handler works on. It is not held. The action is dropped when the object
    ///     ends.
    ///   - handler: What to do.
    public final func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) {
        guard isUndoRegistrationEnabled else { return }
        let opens = openGroups.isEmpty
        if opens {
            openGroups.append(UndoGroup(isEvent: groupsByEvent))
            post(.NSUndoManagerDidOpenUndoGroup)
        }
        openGroups[openGroups.count - 1].actions.append(
            UndoAction(target: ObjectIdentifier(target)) { [weak target] in
                if let target { handler(target) }
            })
        if activity == .none { redoStack.removeAll() }
        if opens, !groupsByEvent { endUndoGrouping() }
    }

    // MARK: Undoing

    /// Whether there is something to undo.
    public final var canUndo: Bool { !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty } }

    /// Whether there is something to redo.
    public final var canRedo: Bool { !redoStack.isEmpty }

    /// The number of groups that ``undo()`` can undo.
    public final var undoCount: Int { undoStack.count + (openGroups.contains { !$0.actions.isEmpty } ? 1 : 0) }

    /// The number of groups that ``redo()`` can redo.
    public final var redoCount: Int { redoStack.count }

    /// Whether ``undo()`` is running.
    public final var isUndoing: Bool { activity == .undoing }

    /// Whether ``redo()`` is running.
    public final var isRedoing: Bool { activity == .redoing }

    /// Undoes the last group. Does nothing if there is none, or while undoing or redoing.
    ///
    /// Contexts that use the manager process their pending changes first, and open groups are closed, so that the
    /// latest changes are undone.
    open func undo() {
        guard activity == .none else { return }
        checkpoint()
        while !openGroups.isEmpty { endUndoGrouping() }
        guard let group = undoStack.popLast() else { return }
        post(.NSUndoManagerWillUndoChange)
        perform(group, .undoing)
        post(.NSUndoManagerDidUndoChange)
    }

    /// Redoes the group that was undone last. Does nothing if there is none, or while undoing or redoing.
    open func redo() {
        guard activity == .none else { return }
        checkpoint()
        guard let group = redoStack.popLast() else { return }
        post(.NSUndoManagerWillRedoChange)
        perform(group, .redoing)
        post(.NSUndoManagerDidRedoChange)
    }

    private func perform(_ group: UndoGroup, _ activity: Activity) {
        self.activity = activity
        let reverse = UndoGroup()
        reverse.name = group.name
        openGroups.append(reverse)
        for action in group.actions.reversed() { action.perform() }
        while let last = openGroups.popLast() {
            close(last)
            if last === reverse { break }
        }
        self.activity = .none
    }

    // MARK: Forgetting

    /// The greatest number of groups. The oldest are dropped first. 0, the default, means no limit.
    public final var levelsOfUndo = 0 { didSet { dropOldest() } }

    private func dropOldest() {
        guard levelsOfUndo > 0 else { return }
        if undoStack.count > levelsOfUndo { undoStack.removeFirst(undoStack.count - levelsOfUndo) }
        if redoStack.count > levelsOfUndo { redoStack.removeFirst(redoStack.count - levelsOfUndo) }
    }

    /// Drops all actions, and enables registering.
    open func removeAllActions() {
        undoStack.removeAll()
        redoStack.removeAll()
        for group in openGroups { group.actions.removeAll() }
        disablings = 0
    }

    /// Drops the actions of one target.
    open func removeAllActions(withTarget target: Any) {
        let id = ObjectIdentifier(target as AnyObject)
        for group in undoStack + redoStack + openGroups { group.actions.removeAll { $0.target == id } }
        undoStack.removeAll { $0.actions.isEmpty }
        redoStack.removeAll { $0.actions.isEmpty }
    }

    // MARK: Names

    /// The name of the group that ``undo()`` undoes; empty if it has none.
    public final var undoActionName: String { openGroups.first { !$0.actions.isEmpty }?.name ?? undoStack.last?.name ?? "" }

    /// The name of the group that ``redo()`` redoes; empty if it has none.
    public final var redoActionName: String { redoStack.last?.name ?? "" }

    /// Names the open group; if none is open, the last one, after contexts have processed their pending changes.
    ///
    /// - Parameter actionName: A name for menus, such as "Delete".
    open func setActionName(_ actionName: String) {
        if openGroups.isEmpty { checkpoint() }
        (openGroups.last ?? undoStack.last)?.name = actionName
    }

    /// "Undo" and the name of the group to undo.
    public final var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// "Redo" and the name of the group to redo.
    public final var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// "Undo" and a name. Override it to translate.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// "Redo" and a name. Override it to translate.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    // MARK: Clients

    /// Adds an object that may have changes to register before the manager undoes something. The object is not
    /// held.
    package final func addClient(_ client: any UndoManagerClient) {
        clients.removeAll { $0.object == nil || $0.object === client }
        clients.append(Client(object: client))
    }

    /// Removes a client.
    package final func removeClient(_ client: any UndoManagerClient) {
        clients.removeAll { $0.object == nil || $0.object === client }
    }

    private func checkpoint() {
        post(.NSUndoManagerCheckpoint)
        for client in clients { client.object?.registerPendingUndo() }
    }

    private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}

/// Actions that are undone together.
private final class UndoGroup {
    var actions: [UndoAction] = []
    var name = ""
    /// Whether a registration opened it by itself.
    let isEvent: Bool

    init(isEvent: Bool = false) { self.isEvent = isEvent }
}

private struct UndoAction {
    let target: ObjectIdentifier
    let perform: () -> Void
}

/// An object with changes that are not registered yet.
package protocol UndoManagerClient: AnyObject {
    /// Registers pending changes. Called before the manager undoes, redoes or names something.
    func registerPendingUndo()
}
