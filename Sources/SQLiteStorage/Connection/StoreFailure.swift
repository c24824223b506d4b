import CSQLite
import DataModel
import Foundation
import Storage

/// Makes the `NSError`s of SQLite stores: Apple's code where Apple has one, the file, SQLite's result code, and what was tried.
enum StoreFailure {
    /// The key under which an error's user info has SQLite's result code.
    static let resultCodeKey = "NSSQLiteErrorDomain"
    /// Statements in messages are cut here.
    private static let longestText = 300

    static func error(
        _ code: Int, _ message: String, url: URL, resultCode: Int32? = nil, userInfo: [String: Any] = [:]
    ) -> NSError {
        var info = userInfo
        info[NSLocalizedDescriptionKey] = message
        info[NSFilePathErrorKey] = url.path
        if let resultCode { info[resultCodeKey] = NSNumber(value: resultCode & 0xff) }
        return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
    }

    /// What SQLite says of a statement that is correct and beyond one of its limits.
    private static let limits = [
        "parser stack overflow", "Expression tree is too large", "in a join", "too many", "variable number must be between",
        "Recursion limit",
    ]

    static func isLimit(_ resultCode: Int32, _ text: String) -> Bool {
        resultCode & 0xff == SQLITE_TOOBIG || resultCode & 0xff == SQLITE_ERROR && limits.contains { text.contains($0) }
    }

    /// The error for a file with values that Core Data would not write.
    static func damaged(_ url: URL, _ what: String) -> NSError {
        error(
            CocoaError.fileReadCorruptFile.rawValue, "“\(url.lastPathComponent)” is damaged: \(what)", url: url,
            resultCode: SQLITE_CORRUPT)
    }

    /// What SQLite says of its last failure, and what the system said to it if a file could not be opened or written.
    static func text(_ handle: OpaquePointer) -> String {
        let text = String(cString: sqlite3_errmsg(handle))
        let number = sqlite3_system_errno(handle)
        guard [SQLITE_CANTOPEN, SQLITE_IOERR].contains(sqlite3_errcode(handle) & 0xff), number != 0 else { return text }
        let isDenied = number == EACCES || number == EPERM || number == EROFS
        return "\(text): \(String(cString: strerror(number)))"
            + (isDenied ? ". SQLite has to make files beside the store, so its folder must be writable" : "")
    }

    /// The error for a result code of SQLite.
    static func error(_ resultCode: Int32, _ phase: StorePhase, text: String, doing: String, url: URL) -> NSError {
        if let range = text.range(of: StoreFunctions.damage) { return damaged(url, String(text[range.upperBound...])) }
        let tried = doing.count > longestText ? doing.prefix(longestText) + "…" : doing
        let message = "“\(url.lastPathComponent)” can't be \(phase.verb): \(text) (\(tried))"
        return error(cocoaCode(resultCode, phase), message, url: url, resultCode: resultCode)
    }

    /// The error for a value in a file that its attribute can't have.
    ///
    /// - Parameter text: where and what it is.
    static func damagedValue(_ layout: EntityLayout, _ slot: Int, _ text: String, _ url: URL) -> NSError {
        error(
            CocoaError.fileReadCorruptFile.rawValue,
            "“\(url.lastPathComponent)” is damaged: the value of “\(layout.name).\(layout.slots[slot].name)” \(text)", url: url)
    }

    /// The error for the use of a store that was closed.
    static func closed(_ url: URL, _ phase: StorePhase) -> NSError {
        error(NSPersistentStoreOperationError, "“\(url.lastPathComponent)” can't be \(phase.verb): the store is closed", url: url)
    }

    private static func cocoaCode(_ resultCode: Int32, _ phase: StorePhase) -> Int {
        switch (resultCode & 0xff, phase) {
        case (SQLITE_NOTADB, _), (SQLITE_CORRUPT, _): CocoaError.fileReadCorruptFile.rawValue
        case (StoreFunctions.refusal, .reading): NSCoreDataError
        case (SQLITE_BUSY, _), (SQLITE_LOCKED, _): NSPersistentStoreTimeoutError
        case (SQLITE_FULL, _): CocoaError.fileWriteOutOfSpace.rawValue
        case (SQLITE_READONLY, _): CocoaError.fileWriteNoPermission.rawValue
        case (SQLITE_PERM, .saving), (SQLITE_AUTH, .saving): CocoaError.fileWriteNoPermission.rawValue
        case (SQLITE_PERM, _), (SQLITE_AUTH, _): CocoaError.fileReadNoPermission.rawValue
        case (SQLITE_TOOBIG, _): CocoaError.fileReadTooLarge.rawValue
        case (SQLITE_CANTOPEN, .saving), (SQLITE_IOERR, .saving): CocoaError.fileWriteUnknown.rawValue
        case (_, .saving): NSPersistentStoreSaveError
        default: CocoaError.fileReadUnknown.rawValue
        }
    }
}
