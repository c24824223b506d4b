import Foundation
import FoundationGaps
import Testing

@Suite("Undo manager")
struct UndoManagerTests {
    /// A number whose changes can be undone.
    private final class Number {
        let manager: UndoManager
        private(set) var value = 0

        init(_ manager: UndoManager) { self.manager = manager }

        func set(_ value: Int) {
            let old = self.value
            manager.registerUndo(withTarget: self) { $0.set(old) }
            self.value = value
        }
    }

    private let manager = UndoManager()

    @Test("actions of a group are undone together, latest first, and can be done again")
    func groups() {
        let number = Number(manager)
        manager.beginUndoGrouping()
        number.set(1)
        number.set(2)
        manager.endUndoGrouping()
        manager.beginUndoGrouping()
        number.set(3)
        manager.endUndoGrouping()
        #expect(manager.canUndo && !manager.canRedo)
        manager.undo()
        #expect(number.value == 2)
        manager.undo()
        #expect(number.value == 0 && !manager.canUndo && manager.canRedo)
        manager.redo()
        #expect(number.value == 2)
        manager.redo()
        #expect(number.value == 3 && !manager.canRedo)
        manager.undo()
        number.set(9)
        #expect(!manager.canRedo, "a new change makes the undone one impossible to redo")
    }

    @Test("OG-207: without groups of one's own, what is registered until undo() is one group")
    func eventGroup() {
        let number = Number(manager)
        number.set(1)
        number.set(2)
        #expect(manager.groupingLevel == 1)
        manager.undo()
        #expect(number.value == 0 && manager.groupingLevel == 0)
        manager.groupsByEvent = false
        number.set(5)
        number.set(6)
        manager.undo()
        #expect(number.value == 5, "each action is a group")
    }

    @Test("nested groups belong to the outer one; groups left open are closed by undo(); empty ones leave no trace")
    func nested() {
        let number = Number(manager)
        manager.beginUndoGrouping()
        number.set(1)
        manager.beginUndoGrouping()
        number.set(2)
        manager.endUndoGrouping()
        #expect(manager.groupingLevel == 1)
        manager.undo()
        #expect(number.value == 0 && manager.groupingLevel == 0)
        manager.endUndoGrouping()
        manager.removeAllActions()
        manager.beginUndoGrouping()
        manager.endUndoGrouping()
        #expect(!manager.canUndo)
    }

    @Test("nothing is registered while registering is disabled; calls nest")
    func disabling() {
        let number = Number(manager)
        manager.disableUndoRegistration()
        manager.disableUndoRegistration()
        number.set(1)
        manager.enableUndoRegistration()
        #expect(!manager.isUndoRegistrationEnabled)
        number.set(2)
        manager.enableUndoRegistration()
        manager.enableUndoRegistration()
        #expect(manager.isUndoRegistrationEnabled && !manager.canUndo)
        number.set(3)
        manager.undo()
        #expect(number.value == 2)
    }

    @Test("only the latest levelsOfUndo groups are kept")
    func levels() {
        let number = Number(manager)
        manager.groupsByEvent = false
        manager.levelsOfUndo = 2
        for value in 1...5 { number.set(value) }
        for _ in 0..<5 { manager.undo() }
        #expect(number.value == 3)
        manager.levelsOfUndo = 1
        for _ in 0..<5 { manager.redo() }
        #expect(number.value == 4)
    }

    @Test("targets are not held, and can be removed")
    func targets() {
        weak var weakNumber: Number?
        let other = Number(manager)
        do {
            let number = Number(manager)
            weakNumber = number
            number.set(1)
            other.set(1)
            manager.endUndoGrouping()
        }
        #expect(weakNumber == nil)
        manager.undo()
        #expect(other.value == 0)
        other.set(2)
        manager.endUndoGrouping()
        manager.removeAllActions(withTarget: other)
        #expect(!manager.canUndo && !manager.canRedo)
        other.set(3)
        manager.disableUndoRegistration()
        manager.removeAllActions()
        #expect(!manager.canUndo && manager.isUndoRegistrationEnabled)
    }

    @Test("names are those of the groups, also after undo and redo")
    func names() {
        let number = Number(manager)
        manager.setActionName("Nothing")
        #expect(manager.undoActionName.isEmpty && manager.undoMenuItemTitle == "Undo")
        number.set(1)
        manager.setActionName("Set One")
        manager.endUndoGrouping()
        #expect(manager.undoActionName == "Set One" && manager.undoMenuItemTitle == "Undo Set One")
        #expect(manager.undoCount == 1 && manager.redoCount == 0)
        manager.undo()
        #expect(manager.undoCount == 0 && manager.redoCount == 1)
        #expect(manager.undoActionName.isEmpty && manager.redoActionName == "Set One")
        #expect(manager.redoMenuItemTitle == "Redo Set One")
        manager.redo()
        #expect(manager.undoActionName == "Set One")
    }

    @Test("titles of menu items can be translated")
    func titles() {
        final class German: UndoManager {
            override func undoMenuTitle(forUndoActionName actionName: String) -> String { "\(actionName) widerrufen" }
            override func redoMenuTitle(forUndoActionName actionName: String) -> String { "\(actionName) wiederholen" }
        }
        let german = German()
        let number = Number(german)
        number.set(1)
        german.setActionName("Setzen")
        #expect(german.undoMenuItemTitle == "Setzen widerrufen")
        german.undo()
        #expect(german.redoMenuItemTitle == "Setzen wiederholen" && number.value == 0)
    }

    @Test("notifications tell of undo and redo, and say which it is")
    func notifications() {
        nonisolated(unsafe) var posts: [String] = []
        nonisolated(unsafe) let manager = manager
        let names: [Notification.Name] = [
            .NSUndoManagerCheckpoint, .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange,
            .NSUndoManagerDidRedoChange, .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup,
            .NSUndoManagerDidCloseUndoGroup,
        ]
        let tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) {
                posts.append($0.name.rawValue)
            }
        }
        let number = Number(manager)
        var states: [Bool] = []
        manager.registerUndo(withTarget: number) { states.append($0.manager.isUndoing && !$0.manager.isRedoing) }
        number.set(1)
        #expect(posts == ["NSUndoManagerDidOpenUndoGroupNotification"])
        manager.undo()
        manager.redo()
        #expect(states == [true])
        #expect(
            posts.dropFirst() == [
                "NSUndoManagerCheckpointNotification", "NSUndoManagerWillCloseUndoGroupNotification",
                "NSUndoManagerDidCloseUndoGroupNotification", "NSUndoManagerWillUndoChangeNotification",
                "NSUndoManagerDidUndoChangeNotification", "NSUndoManagerCheckpointNotification",
                "NSUndoManagerWillRedoChangeNotification", "NSUndoManagerDidRedoChangeNotification",
            ])
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    @Test("an action may register, nest groups and forget everything while it undoes")
    func misbehavior() {
        let number = Number(manager)
        manager.registerUndo(withTarget: number) { target in
            target.manager.beginUndoGrouping()
            target.set(7)
            target.manager.undo()
        }
        manager.undo()
        #expect(number.value == 7 && manager.canRedo && manager.groupingLevel == 0)
        manager.redo()
        #expect(number.value == 0)
        manager.registerUndo(withTarget: number) { $0.manager.removeAllActions() }
        manager.undo()
        #expect(!manager.canUndo && !manager.canRedo && manager.groupingLevel == 0)
    }
}
