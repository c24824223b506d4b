import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("Options of stores")
struct StoreOptionTests {
    private static let switches = [
        NSReadOnlyPersistentStoreOption, NSIgnorePersistentStoreVersioningOption, OpenCoreDataForeignTriggersOption,
        OpenCoreDataExternalDataLinksOption, OpenCoreDataMirroredStoresOption,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey,
    ]

    private static var wrongValues: [(String, Any, [String])] {
        let noSwitches: [(Any, [String])] = [
            ("yes", ["String", "yes"]), ("1" as NSString, ["1"]), (NSNull(), ["NSNull"]),
            (Date(timeIntervalSinceReferenceDate: 0), ["Date"]), ([true], ["Array"]), (Double.nan, ["nan"]),
        ]
        let noTimes: [(Any, [String])] = [
            ("soon", ["String", "soon"]), (-1, ["-1"]), (Double.nan, ["nan"]), (Date(), ["Date"]),
        ]
        let noPragmas: [(Any, [String])] = [
            ("nonsense", ["String", "nonsense", "dictionary"]), (["journal_mode"], ["dictionary"]), ([1: "x"], ["dictionary"]),
            (["journal_mode": NSNull()], ["journal_mode", "NSNull", "text"]),
            (["journal_mode": ["x"]] as NSDictionary, ["journal_mode", "text"]),
            (["cache_size": Data()], ["cache_size", "Data", "text"]),
        ]
        var result: [(String, Any, [String])] = []
        for option in switches { result += noSwitches.map { (option, $0, $1 + ["true or false"]) } }
        result += noTimes.map { (NSPersistentStoreTimeoutOption, $0, $1 + ["number"]) }
        return result + noPragmas.map { (NSSQLitePragmasOption, $0, $1) }
    }

    private func add(_ kind: StackKind, _ options: [AnyHashable: Any], in folder: TemporaryFolder) throws -> NSPersistentStore {
        var maker = ModelMaker()
        maker.entity("A", [ModelMaker.attribute("name", .string)])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: maker.model())
        let url = folder.file("Store.sqlite")
        if kind == .sqlite, !FileManager.default.fileExists(atPath: url.path) {
            let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
            try coordinator.remove(store)
        }
        return try coordinator.addPersistentStore(
            ofType: kind == .sqlite ? NSSQLiteStoreType : NSInMemoryStoreType, configurationName: nil,
            at: kind == .sqlite ? url : nil, options: options)
    }

    @Test(
        "a value of a wrong type is an error that names the option, the value, its type and what is expected; nothing is added",
        arguments: StackKind.allCases)
    func wrongTypes(_ kind: StackKind) throws {
        let folder = try TemporaryFolder()
        for (option, value, words) in Self.wrongValues {
            let error = #expect(throws: NSError.self, "\(option): \(value)") { try add(kind, [option: value], in: folder) }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSCoreDataError)
            let message = error?.localizedDescription ?? ""
            for word in [option] + words { #expect(message.contains(word), "\(word): \(message)") }
        }
    }

    @Test("switches are Booleans, integers and NSNumbers of any kind, set by a dictionary or a description")
    func switches() throws {
        let folder = try TemporaryFolder()
        let on: [Any] = [true, 1, Int8(1), UInt64(7), NSNumber(value: true), NSNumber(value: 1), NSNumber(value: 1.0)]
        for value in on {
            #expect(try add(.sqlite, [NSReadOnlyPersistentStoreOption: value], in: folder).isReadOnly, "\(value)")
            #expect(try add(.inMemory, [NSReadOnlyPersistentStoreOption: value], in: folder).isReadOnly, "\(value)")
        }
        let off: [Any] = [false, 0, UInt8(0), NSNumber(value: false), NSNumber(value: 0)]
        for value in off {
            for option in Self.switches {
                #expect(try !add(.sqlite, [option: value], in: folder).isReadOnly, "\(option) \(value)")
            }
        }
        let times: [Any] = [0, 1.5, UInt8(3), NSNumber(value: 240), 1e300, Double.infinity, NSDecimalNumber(value: 2)]
        for value in times {
            _ = try add(.sqlite, [NSPersistentStoreTimeoutOption: value], in: folder)
        }
        let pragmas: [Any] = [
            ["cache_size": "100"], ["cache_size": 100], ["foreign_keys": true] as NSDictionary, [String: Any](),
        ]
        for value in pragmas {
            _ = try add(.sqlite, [NSSQLitePragmasOption: value], in: folder)
        }
        let description = NSPersistentStoreDescription(url: folder.file("Store.sqlite"))
        description.setOption("yes" as NSString, forKey: NSReadOnlyPersistentStoreOption)
        var problem: (any Error)?
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        coordinator.addPersistentStore(with: description) { problem = $1 }
        #expect(problem?.localizedDescription.contains(NSReadOnlyPersistentStoreOption) == true)
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test("options with names that have no meaning here are kept as they are, whatever their values")
    func others() throws {
        let folder = try TemporaryFolder()
        let store = try add(.sqlite, ["SomethingElse": "x", 5: NSNull()], in: folder)
        #expect(store.options?["SomethingElse"] as? String == "x")
    }
}
