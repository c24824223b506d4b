import DataModel
import Foundation
import FoundationGaps
import Predicates
import Storage

/// The part of a fetch that one store can do.
struct StoreQuery {
    var request: RowRequest
    /// Resolves further parts of the same query.
    let resolver: QueryResolver
    /// Whether the rows that come are exactly those for which the predicate is true.
    let isFiltered: Bool
    /// Whether the rows come in the order of the sort descriptors.
    let isSorted: Bool
    /// Whether predicate and order have no part, such as a closure, that has a meaning only in memory. The store may
    /// still leave parts to memory.
    let isExpressible: Bool

    /// - Parameters:
    ///   - store: Nil to find only mistakes.
    ///   - leavesAll: Whether predicate and order are left to memory: the store has refused the query as too large.
    /// - Throws: 134060 for a predicate or sort descriptor that does not fit the entity.
    init(_ plan: FetchPlan, _ store: NSPersistentStore?, leavesAll: Bool = false) throws {
        var resolver = QueryResolver(plan.entity, Self.environment(plan.context.runtime.layout, store))
        request = RowRequest(plan.entity)
        request.includesSubentities = plan.includesSubentities
        var isFiltered = true
        if let predicate = plan.predicate {
            let (condition, isExact) = try Self.resolve(predicate, &resolver, plan)
            isFiltered = isExact && (!leavesAll || condition == .constant(true))
            if !leavesAll, condition != .constant(true) { request.predicate = condition }
        }
        self.isFiltered = isFiltered
        let sortKeys = try Self.sortKeys(plan, &resolver)
        isExpressible = !resolver.hasInexpressibleParts && sortKeys != nil
        isSorted = sortKeys?.allSatisfy { !leavesAll && store?.engine.evaluates($0) ?? true } ?? false
        if isSorted { request.sortKeys = sortKeys ?? [] }
        if !leavesAll { request.constants = resolver.constants }
        if store?.engine.executesRequests == true { request.settings = plan.wholeSettings }
        self.resolver = resolver
    }

    /// - Parameter allowsTransients: Nil to ask the store.
    static func environment(
        _ layout: ModelLayout, _ store: NSPersistentStore?, allowsTransients: Bool? = nil
    ) -> QueryEnvironment {
        let engine = store?.engine
        let identifier = store?.reference.identifier
        return QueryEnvironment(
            layout: layout, allowsTransients: allowsTransients ?? engine?.allowsTransients ?? true,
            evaluates: { engine?.evaluates($0) ?? true },
            identity: { object in
                let given = object as? any PredicateIdentity
                guard let identity = given?.predicateIdentity.base as? ObjectIdentity else { return nil }
                return QueryEnvironment.Identity(
                    root: layout.entity(named: identity.rootEntity)?.index ?? -1,
                    key: identity.store == identifier && identity.key > 0 ? identity.key : 0)
            },
            entityIndex: { object in
                (object as? NSEntityDescription)?.name.flatMap { layout.entity(named: $0)?.index }
            },
            hint: { name, layout in layout.storedNameHint(name) })
    }

    private static func resolve(
        _ predicate: NSPredicate, _ resolver: inout QueryResolver, _ plan: FetchPlan
    ) throws -> (condition: RowPredicate, isExact: Bool) {
        do {
            return try resolver.predicate(PredicateNode(predicate))
        } catch let error as InvalidPredicateError {
            throw NSError.invalidPredicate(
                error.found(in: PredicatePrinter.print(PredicateNode(predicate))), entity: plan.entity.name)
        }
    }

    /// Nil if a descriptor can be evaluated only in memory.
    private static func sortKeys(_ plan: FetchPlan, _ resolver: inout QueryResolver) throws -> [RowRequest.SortKey]? {
        var keys: [RowRequest.SortKey] = []
        var isComplete = true
        for descriptor in plan.sortDescriptors {
            guard let key = descriptor.key else {
                isComplete = false
                continue
            }
            do {
                let comparison = try textComparison(descriptor)
                if let sortKey = try resolver.sortKey(
                    key, isAscending: descriptor.ascending, comparison ?? .codePoints), comparison != nil
                {
                    keys.append(sortKey)
                } else {
                    isComplete = false
                }
            } catch let error as InvalidPredicateError {
                throw NSError.coreData(
                    NSCoreDataError, "A fetch of “\(plan.entity.name)” can't be sorted by “\(key)”: \(error)",
                    [NSUnderlyingErrorKey: error])
            }
        }
        return isComplete ? keys : nil
    }

    /// Nil for a descriptor with a comparator.
    static func textComparison(_ descriptor: NSSortDescriptor) throws -> TextComparison? {
        guard let selector = descriptor.selector else { return nil }
        if let comparison = TextComparison(rawValue: selector.description) { return comparison }
        throw InvalidPredicateError(
            .unsupported, "unsupported NSSortDescriptor selector: \(selector)",
            suggestion: "There are: \(TextComparison.allCases.map(\.rawValue).joined(separator: " "))")
    }
}

extension NSError {
    /// The error for a predicate that can't be evaluated. Its underlying error is the `InvalidPredicateError` that says
    /// why.
    static func invalidPredicate(_ error: InvalidPredicateError, entity: String) -> NSError {
        coreData(
            NSCoreDataError, "A fetch of “\(entity)” can't use its predicate. \(error)", [NSUnderlyingErrorKey: error])
    }
}

extension StoreQuery {
    /// The whole fetch, including its window, for a consumer of keys alone; nil if a part of the fetch is left to
    /// memory.
    func requestForKeys(_ plan: FetchPlan) -> RowRequest? {
        guard isFiltered, isSorted else { return nil }
        var request = request
        request.limit = plan.window.limit
        request.offset = plan.window.offset
        request.takesValues = false
        return request
    }
}
