import ObjectGraph

extension NSFetchRequest {
    /// The request with the result type `any NSFetchRequestResult`. It is the request itself, or a copy.
    final var forAnyResult: NSFetchRequest<any NSFetchRequestResult> {
        if let request = self as? NSFetchRequest<any NSFetchRequestResult> { return request }
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.affectedStores = affectedStores
        request.settings = settings
        return request
    }
}
