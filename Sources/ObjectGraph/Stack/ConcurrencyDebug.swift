import Foundation

/// Apple's concurrency debug switch: with it, using a context or an object on a wrong queue stops the program.
///
/// It is on if the program is started with `-com.apple.CoreData.ConcurrencyDebug 1`, or with
/// `OPENCOREDATA_CONCURRENCY_DEBUG=1` in its environment. The queue is checked where objects are loaded, first changed,
/// inserted and deleted, and where a context fetches, saves and processes changes. It is not checked where a loaded
/// value is read.
enum ConcurrencyDebug {
    static let isOn: Bool = {
        let arguments = ProcessInfo.processInfo.arguments
        if let index = arguments.firstIndex(of: "-com.apple.CoreData.ConcurrencyDebug"), index + 1 < arguments.count {
            return (Int(arguments[index + 1]) ?? 0) > 0
        }
        return (Int(ProcessInfo.processInfo.environment["OPENCOREDATA_CONCURRENCY_DEBUG"] ?? "") ?? 0) > 0
    }()
}

extension NSManagedObjectContext {
    /// Stops the program if the switch is on and the caller is not on the context's queue.
    @inline(__always) final func checkQueue(_ object: @autoclosure () -> NSManagedObject? = nil) {
        if ConcurrencyDebug.isOn, !queue.allowsAccess { reportWrongQueue(object()) }
    }

    @inline(never) private final func reportWrongQueue(_ object: NSManagedObject?) -> Never {
        let what = object.map { "\(type(of: $0)) \($0.objectID) of " } ?? ""
        fatalError(
            "Core Data concurrency violation: \(what)\(self) is used on \(Thread.isMainThread ? "the main thread" : "thread “\(Thread.current.name ?? "")”") "
                + "outside of the context's queue. Use perform, performAndWait or the asynchronous perform.")
    }
}
