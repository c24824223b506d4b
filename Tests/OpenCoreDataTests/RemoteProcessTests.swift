import OpenCoreData
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("NSPersistentStoreRemoteChange between processes")
struct RemoteProcessTests {
    @Test("NTF-171: what another process saves is told, and can be read then")
    func otherProcess() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        let session = try StoreSession(
            url, SaveLoop.model(), options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true)])
        let inbox = NotificationInbox(.NSPersistentStoreRemoteChange, of: session.coordinator)
        let (process, output) = try SaveLoop.start([url.path, "kill"])
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try? output.close()
        }
        // The change to a write-ahead log may be told first; the program goes on saving.
        var saved = 0
        while saved == 0 {
            let userInfo = try #require(inbox.next())
            #expect(userInfo[NSPersistentStoreURLKey] as? URL == url)
            saved = try session.context.run { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Entry")) }
        }
        #expect(saved.isMultiple(of: 2))
        try session.close()
    }
}
