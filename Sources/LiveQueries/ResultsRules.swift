import DataModel
import Foundation
import ObjectGraph
import Predicates
import Storage

/// Decides which objects a live query has, in which order, and in which sections.
struct ResultsRules {
    let entity: EntityLayout
    let includesSubentities: Bool
    private let test: (NSManagedObject) throws -> Bool
    let order: DescriptorOrder
    let section: SectionKey?
    /// Whether the fetch left objects out because of its limit or offset. A changed object may be one of these.
    let isCutOff: Bool
    private let hasOffset: Bool
    /// The entity's properties that the order and the sections depend on. It is nil if they are not known.
    private let orderingKeys: Set<String>?

    /// - Throws: 134060 if the predicate can't be evaluated in memory.
    init(_ plan: FetchPlan, section: SectionKey?, found: Int) throws {
        entity = plan.entity
        includesSubentities = plan.includesSubentities
        test = try plan.test()
        order = DescriptorOrder(plan.sortDescriptors)
        self.section = section
        hasOffset = plan.window.offset > 0
        isCutOff = plan.window.offset > 0 || plan.window.limit > 0 && found >= plan.window.limit
        var keys: Set<String>? = []
        let sorting = plan.sortDescriptors.map { $0.key.flatMap { SectionKey(keyPath: $0).property(of: plan.entity) } }
        for key in sorting + (section.map { [$0.property(of: plan.entity)] } ?? []) {
            guard let key else {
                keys = nil
                break
            }
            keys?.insert(key)
        }
        orderingKeys = keys
    }

    func covers(_ layout: EntityLayout) -> Bool { layout.isKind(of: entity, orSubentity: includesSubentities) }

    /// The indices of the entities whose objects the live query may have.
    func watchedEntities(in model: ModelLayout) -> [Int] {
        includesSubentities ? Array(model.family(of: entity.index)) : [entity.index]
    }

    /// Whether an object belongs to the results, by its values in memory. It does not if its values can't be read, which the
    /// context collects, or if the predicate can't be evaluated for it. A round has no caller that could catch an error.
    func matches(_ object: NSManagedObject, in context: NSManagedObjectContext) -> Bool {
        guard object.managedObjectContext === context, !object.isDeleted, !object.isOfRemovedStore else { return false }
        // Reading values may find that the row is gone.
        do {
            return try test(object) && !object.isDeleted
        } catch let failure as ReadingFailure {
            context.note(failure) {}
            return false
        } catch {
            return false
        }
    }

    /// Whether a changed object that was not a member may become one. It may not if it was beyond the limit before.
    func admits(_ object: SortedObject, to members: [NSManagedObject]) -> Bool {
        guard isCutOff, let first = members.first, let last = members.last else { return true }
        return compare(object, SortedObject(last, self)) != .orderedDescending
            && (!hasOffset || compare(SortedObject(first, self), object) != .orderedDescending)
    }

    func sectionName(of object: NSManagedObject) -> String {
        section?.name(of: object) ?? ""
    }

    func compare(_ left: SortedObject, _ right: SortedObject) -> ComparisonResult {
        order.compare(left.object, left.keys, right.object, right.keys)
    }

    func isInOrder(_ left: SortedObject, _ right: SortedObject) -> Bool { compare(left, right) != .orderedDescending }

    /// Whether it is sure that the present event did not change the values that an object is sorted by. Never true for merged
    /// objects.
    func isSteady(_ object: NSManagedObject) -> Bool {
        guard let orderingKeys, object.isUpdated else { return false }
        let changed = object.changedValuesForCurrentEvent()
        return !changed.isEmpty && orderingKeys.isDisjoint(with: changed.keys)
    }
}

/// An object and the values that it is sorted by.
struct SortedObject {
    let object: NSManagedObject
    let keys: [SortKey]

    init(_ object: NSManagedObject, _ rules: ResultsRules) {
        self.object = object
        keys = rules.order.keys(of: object)
    }
}
