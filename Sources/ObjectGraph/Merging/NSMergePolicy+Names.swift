/// The policy ``NSMergePolicy/error``: the save fails.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }

/// The policy ``NSMergePolicy/mergeByPropertyStoreTrump``: property by property, the store wins.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }

/// The policy ``NSMergePolicy/mergeByPropertyObjectTrump``: property by property, the context wins.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }

/// The policy ``NSMergePolicy/overwrite``: objects are written whole.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }

/// The policy ``NSMergePolicy/rollback``: the context's changes are dropped.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }
