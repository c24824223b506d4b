import Foundation

#if !canImport(Darwin)
    /// Keeps what undoes past changes, and what does them again.
    ///
    /// Linux Foundation has no such class; this one has Apple's names and behaviour, with one difference: there is no run loop whose turns end a group.
    /// With ``groupsByEvent`` a group ends when a context that uses the manager processes its pending changes, and at ``undo()``.
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

        /// Whether changes are put into groups by themselves: one for each processing of pending changes. True unless set.
        ///
        /// With false each action outside `beginUndoGrouping()` … `endUndoGrouping()` is a group of its own, where Apple's class raises an exception.
        public final var groupsByEvent = true

        /// How many groups are open.
        public final var groupingLevel: Int { openGroups.count }

        /// Opens a group: what is registered until ``endUndoGrouping()`` is undone together.
        public final func beginUndoGrouping() {
            openGroups.append(UndoGroup())
            post(.NSUndoManagerDidOpenUndoGroup)
        }

        /// Closes the group opened last. Does nothing if none is open. A group without actions leaves no trace.
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

        /// Closes the group that a registration opened by itself: the event is over.
        package final func endEvent() {
            guard openGroups.count == 1, openGroups[0].isEvent else { return }
            endUndoGrouping()
        }

        // MARK: Registering

        /// Whether registering has an effect: it has unless ``disableUndoRegistration()`` was called more often than ``enableUndoRegistration()``.
        public final var isUndoRegistrationEnabled: Bool { disablings == 0 }

        /// Makes registrations without effect until ``enableUndoRegistration()``.
        public final func disableUndoRegistration() { disablings += 1 }

        /// Takes one ``disableUndoRegistration()`` back.
        public final func enableUndoRegistration() { disablings = max(0, disablings - 1) }

        /// Registers what undoes a change that is being made. While undoing it is what does the change again.
        ///
        /// - Parameters:
        ///   - target: The object that the handler works on. It is not held: the action is void when it is gone.
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

        /// How often ``undo()`` has something to undo.
        public final var undoCount: Int { undoStack.count + (openGroups.contains { !$0.actions.isEmpty } ? 1 : 0) }

        /// How often ``redo()`` has something to do again.
        public final var redoCount: Int { redoStack.count }

        /// Whether ``undo()`` is at work.
        public final var isUndoing: Bool { activity == .undoing }

        /// Whether ``redo()`` is at work.
        public final var isRedoing: Bool { activity == .redoing }

        /// Undoes the last group. Does nothing if there is none, or while undoing or redoing.
        ///
        /// Contexts that use the manager process their pending changes first, and open groups are closed, so that the latest changes are undone.
        open func undo() {
            guard activity == .none else { return }
            checkpoint()
            while !openGroups.isEmpty { endUndoGrouping() }
            guard let group = undoStack.popLast() else { return }
            post(.NSUndoManagerWillUndoChange)
            perform(group, .undoing)
            post(.NSUndoManagerDidUndoChange)
        }

        /// Does again what was undone last. Does nothing if there is nothing, or while undoing or redoing.
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

        /// How many groups are kept; the oldest go first. 0, the default, means no limit.
        public final var levelsOfUndo = 0 { didSet { dropOldest() } }

        private func dropOldest() {
            guard levelsOfUndo > 0 else { return }
            if undoStack.count > levelsOfUndo { undoStack.removeFirst(undoStack.count - levelsOfUndo) }
            if redoStack.count > levelsOfUndo { redoStack.removeFirst(redoStack.count - levelsOfUndo) }
        }

        /// Forgets everything, and enables registering.
        open func removeAllActions() {
            undoStack.removeAll()
            redoStack.removeAll()
            for group in openGroups { group.actions.removeAll() }
            disablings = 0
        }

        /// Forgets the actions of one target.
        open func removeAllActions(withTarget target: Any) {
            let id = ObjectIdentifier(target as AnyObject)
            for group in undoStack + redoStack + openGroups { group.actions.removeAll { $0.target == id } }
            undoStack.removeAll { $0.actions.isEmpty }
            redoStack.removeAll { $0.actions.isEmpty }
        }

        // MARK: Names

        /// The name of what ``undo()`` undoes; empty if it has none.
        public final var undoActionName: String { openGroups.first { !$0.actions.isEmpty }?.name ?? undoStack.last?.name ?? "" }

        /// The name of what ``redo()`` does again; empty if it has none.
        public final var redoActionName: String { redoStack.last?.name ?? "" }

        /// Names the open group; if none is open, the last one, after contexts have processed their pending changes.
        ///
        /// - Parameter actionName: A name for menus, such as "Delete".
        open func setActionName(_ actionName: String) {
            if openGroups.isEmpty { checkpoint() }
            (openGroups.last ?? undoStack.last)?.name = actionName
        }

        /// "Undo" and the name of what is undone.
        public final var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

        /// "Redo" and the name of what is done again.
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

        /// Adds an object that has changes to register before the manager undoes something. It is not held.
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

    /// What is undone together.
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
#endif

/// Has changes that an undo manager does not know yet.
package protocol UndoManagerClient: AnyObject {
    /// Called before the manager undoes, redoes or names something: register what is pending.
    func registerPendingUndo()
}
