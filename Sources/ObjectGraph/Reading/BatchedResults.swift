import DataModel
import Foundation
import Storage

/// The objects of a fetch, in order. Only one page of them at a time is in memory.
///
/// It keeps the key of each object, eight bytes. An object is made when it is read, together with its page, whose size
/// is the request's `fetchBatchSize`. The fetch determines the objects and their order. An object whose row was deleted
/// since is a fault whose values are nil.
///
/// It belongs to the context's queue. If a page can't be read, its objects are faults, and each of them is read by
/// itself when it is fired. Made by ``NSManagedObjectContext/fetchBatched(_:)``. It is not in Apple's framework. There
/// the `NSArray` of a fetch with a batch size does the same.
public final class BatchedResults<Object: NSManagedObject>: RandomAccessCollection {
    private enum Source {
        case keys(FetchedKeys)
        /// The objects of a fetch that did not come from one store alone.
        case objects([Object])
    }

    private let context: NSManagedObjectContext
    private let source: Source
    private let size: Int
    private var page: (number: Int, objects: [Object])?

    init(_ context: NSManagedObjectContext, _ keys: FetchedKeys, size: Int) {
        self.context = context
        self.size = size
        source = .keys(keys)
    }

    init(_ context: NSManagedObjectContext, _ objects: [Object]) {
        self.context = context
        size = 1
        source = .objects(objects)
    }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of objects.
    public var endIndex: Int {
        switch source {
        case .keys(let keys): keys.count
        case .objects(let objects): objects.count
        }
    }

    /// The object at a position. Reads its page, if it is not the page that was read last.
    public subscript(position: Int) -> Object {
        precondition(position >= 0 && position < endIndex, "There is no result \(position): the fetch found \(endIndex)")
        switch source {
        case .objects(let objects): return objects[position]
        case .keys(let keys):
            let number = position / size
            if let page, page.number == number { return page.objects[position % size] }
            let objects = load(keys, number * size..<Swift.min(endIndex, (number + 1) * size))
            page = (number, objects)
            return objects[position % size]
        }
    }

    private func load(_ keys: FetchedKeys, _ range: Range<Int>) -> [Object] {
        context.checkQueue()
        return keys.objects(range, in: context).map { object in
            guard let object = object as? Object else {
                fatalError("\(object.objectID) is of class \(type(of: object)), which is not a \(Object.self)")
            }
            return object
        }
    }
}

extension NSManagedObjectContext {
    /// Finds objects, and reads their values page by page when they are needed.
    ///
    /// With unsaved changes of the entity, in a child context, over several stores, and for a predicate or order that
    /// the store can't evaluate, the objects are fetched at once.
    ///
    /// - Parameter request: What to find. Its `fetchBatchSize` is the size of a page, 100 if it is 0.
    /// - Throws: As ``fetch(_:)-(NSFetchRequest<T>)``.
    public final func fetchBatched<Object: NSManagedObject>(_ request: NSFetchRequest<Object>) throws -> BatchedResults<Object> {
        let plan = try FetchPlan(request, in: self)
        let fits = runtime.layout.family(of: plan.entity.index).allSatisfy { runtime.classes[$0] is Object.Type }
        guard fits, request.resultType == .managedObjectResultType, let keys = try FetchedKeys(plan) else {
            return BatchedResults(self, try fetch(request))
        }
        return BatchedResults(self, keys, size: request.fetchBatchSize > 0 ? request.fetchBatchSize : FaultBatches.size)
    }
}
