import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("A process that is killed while it migrates leaves the old store or the new one")
struct KilledMigrationTests {
    private static func model(_ isNew: Bool) -> NSManagedObjectModel {
        var maker = ModelMaker()
        maker.entity(
            "Item",
            [ModelMaker.attribute("name", .string)] + (isNew ? [ModelMaker.attribute("kind", .string, default: "plain")] : []))
        maker.entity("Box", [ModelMaker.attribute("name", .string)])
        maker.relate("Item", isNew ? "boxes" : "box", isNew ? .many : .one, "Box", "items", .many)
        let model = maker.model()
        if isNew { model.entitiesByName["Item"]?.relationshipsByName["boxes"]?.renamingIdentifier = "box" }
        return model
    }

    private static let variable = "OPENCOREDATA_KILLED_MIGRATION"
    private static let count = 4000

    @Test("At several moments")
    func killed() async throws {
        let store = try MigratedStore(Self.model(false)) { context in
            let boxes = (0..<10).map { context.make("Box", ["name": "\($0)"]) }
            for number in 0..<Self.count { context.make("Item", ["name": "\(number)", "box": boxes[number % 10]]) }
        }
        let original = try Data(contentsOf: store.url)
        for delay in [0, 2, 5, 9, 14, 20, 30, 45] {
            for suffix in ["-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: store.url.path + suffix)
            }
            try original.write(to: store.url)
            setenv(Self.variable, "\(delay) \(store.url.path)", 1)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                let parts = (ProcessInfo.processInfo.environment[KilledMigrationTests.variable] ?? "").split(separator: " ")
                let delay = UInt32(parts[0]) ?? 0
                Thread.detachNewThread {
                    usleep(delay * 1000)
                    kill(getpid(), SIGKILL)
                }
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: KilledMigrationTests.model(true))
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: String(parts[1])),
                    options: MigratedStore.automatic)
                sleep(5)
            }
            try store.verify()
            try store.migrate(to: Self.model(true)) { context in
                let items = try context.all("Item")
                #expect(items.count == Self.count)
                #expect(items.allSatisfy { $0.text("kind") == "plain" && $0.many("boxes").count == 1 })
            }
        }
    }
}
