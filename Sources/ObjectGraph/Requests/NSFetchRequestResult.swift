import Foundation

/// What a fetch can give: managed objects, their IDs, numbers.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSNumber: NSFetchRequestResult {}
