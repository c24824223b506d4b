import DataModel
public import Foundation

extension CocoaError {
    /// The version conflicts that a save could not resolve, of an error with the code 133020.
    public var persistentStoreSaveConflicts: [NSMergeConflict]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    }
}
