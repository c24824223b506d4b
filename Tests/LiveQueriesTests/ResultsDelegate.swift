import Foundation
import FoundationGaps
import GraphTestSupport
import LiveQueries
import ObjectGraph
import Predicates
import Testing

typealias AnyResultsController = NSFetchedResultsController<any NSFetchRequestResult>

/// Writes down what a fetched results controller tells in steps, and checks it as a table view would use it.
class ResultsDelegate: NSObject, NSFetchedResultsControllerDelegate {
    struct Step {
        let type: NSFetchedResultsChangeType
        let object: NSManagedObject?
        let old: IndexPath?
        let new: IndexPath?
    }

    struct SectionStep {
        let type: NSFetchedResultsChangeType
        let index: Int
        let info: any NSFetchedResultsSectionInfo
    }

    /// One letter for each call: will, sections, objects, did.
    private(set) var order = ""
    private(set) var steps: [Step] = []
    private(set) var sectionSteps: [SectionStep] = []
    private(set) var controllers: [AnyResultsController] = []
    /// The contents when `controllerWillChangeContent` was called.
    private(set) var oldContents: [[NSManagedObject]] = []
    /// What to do in a call.
    var reaction: ((String, AnyResultsController) -> Void)?

    private func note(_ call: String, _ controller: AnyResultsController) {
        order += call
        controllers.append(controller)
        reaction?(call, controller)
    }

    func controllerWillChangeContent(_ controller: AnyResultsController) {
        oldContents = Self.contents(controller)
        note("w", controller)
    }

    func controller(
        _ controller: AnyResultsController, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        steps.append(Step(type: type, object: anObject as? NSManagedObject, old: indexPath, new: newIndexPath))
        note("o", controller)
    }

    func controller(
        _ controller: AnyResultsController, didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        sectionSteps.append(SectionStep(type: type, index: sectionIndex, info: sectionInfo))
        note("s", controller)
    }

    func controllerDidChangeContent(_ controller: AnyResultsController) { note("d", controller) }

    /// Everything since the last look: calls, then steps as text, in no particular order among the objects.
    func take() -> (order: String, steps: [String]) {
        defer { forget() }
        return (order, (sectionSteps.map(Self.text) + steps.map(Self.text)).sorted())
    }

    func forget() { (order, steps, sectionSteps, controllers) = ("", [], [], []) }

    static func contents(_ controller: AnyResultsController) -> [[NSManagedObject]] {
        (controller.sections ?? []).map { $0.objects as? [NSManagedObject] ?? [] }
    }

    private static func text(_ step: SectionStep) -> String { "section \(step.type) \(step.index) “\(step.info.name)”" }

    private static func text(_ step: Step) -> String {
        func text(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.item)" } ?? "-" }
        let name = step.object.map { $0.managedObjectContext == nil ? "(gone)" : $0.text("name") ?? "nil" } ?? "?"
        return "\(step.type) \(name) \(text(step.old)) \(text(step.new))"
    }

    /// Does to the old contents what a table view does with the steps, and compares.
    func replay(_ expected: [[NSManagedObject]], at location: SourceLocation = #_sourceLocation) {
        let hasSteps = !steps.isEmpty || !sectionSteps.isEmpty
        #expect(order.isEmpty == !hasSteps, "calls \(order)", sourceLocation: location)
        guard hasSteps else { return }
        #expect(order.wholeMatch(of: /ws*o*d/) != nil, "calls \(order)", sourceLocation: location)
        var contents = oldContents
        for step in steps {
            if let old = step.old { #expect(oldContents[old.section][old.item] === step.object, sourceLocation: location) }
            if let new = step.new { #expect(expected[new.section][new.item] === step.object, sourceLocation: location) }
        }
        let leaving = steps.filter { $0.type == .delete || $0.type == .move }.compactMap(\.old)
        for path in leaving.sorted().reversed() { contents[path.section].remove(at: path.item) }
        for step in sectionSteps.filter({ $0.type == .delete }).sorted(by: { $0.index > $1.index }) {
            #expect(contents[step.index].isEmpty, "a deleted section had objects left", sourceLocation: location)
            #expect(step.info.numberOfObjects == 0, sourceLocation: location)
            contents.remove(at: step.index)
        }
        for step in sectionSteps.filter({ $0.type == .insert }).sorted(by: { $0.index < $1.index }) {
            contents.insert([], at: step.index)
        }
        for step in steps.filter({ $0.type == .insert || $0.type == .move }).sorted(by: { $0.new ?? [] < $1.new ?? [] }) {
            guard let new = step.new, let object = step.object, new.section < contents.count,
                new.item <= contents[new.section].count
            else {
                Issue.record("a step without a place: \(step)", sourceLocation: location)
                continue
            }
            contents[new.section].insert(object, at: new.item)
        }
        #expect(
            contents.elementsEqual(expected) { $0.elementsEqual($1, by: ===) },
            "the steps lead to \(contents.map(\.count)), not to \(expected.map(\.count)) or in another order",
            sourceLocation: location)
    }
}

extension NSManagedObjectContext {
    /// A controller of persons that has fetched, sorted by some keys.
    func controller(
        _ keys: String..., sections: String? = nil, predicate: NSPredicate? = nil,
        delegate: (any NSFetchedResultsControllerDelegate)? = nil
    ) throws -> NSFetchedResultsController<Recorder> {
        let controller = NSFetchedResultsController(
            fetchRequest: .persons(by: keys, predicate), managedObjectContext: self, sectionNameKeyPath: sections, cacheName: nil)
        controller.delegate = delegate
        try controller.performFetch()
        return controller
    }
}

extension NSFetchRequest where ResultType == Recorder {
    static func persons(by keys: [String] = ["name"], _ predicate: NSPredicate? = nil) -> NSFetchRequest<Recorder> {
        let request = NSFetchRequest<Recorder>(entityName: "Person")
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        request.predicate = predicate
        return request
    }
}

extension NSFetchedResultsController {
    /// The names of the objects in each section.
    var names: [[String]] { (sections ?? []).map { ($0.objects as? [NSManagedObject] ?? []).map { $0.text("name") ?? "nil" } } }
}
