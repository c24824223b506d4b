public import Foundation

/// What a fetch can give: managed objects, their IDs, dictionaries, numbers.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSNumber: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
