import Foundation
import GraphTestSupport
import LiveQueries
import ObjectGraph
import Predicates
import TestSupport
import Testing

/// Random changes, each round compared with a fetch.
@Suite("Fetched results under random changes")
struct RandomResultsTests {
    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["OPENCOREDATA_SEED"].flatMap(UInt64.init).map { [$0] } ?? [1, 2]

    @Test(
        "B05, FET-127 to FET-136: steps and differences lead from the old results to those of a fetch",
        arguments: StackKind.allCases, seeds)
    func program(_ kind: StackKind, _ seed: UInt64) throws {
        let rivals = try Rivals(kind, policy: .mergeByPropertyObjectTrump) { _ in }
        var program = RandomResults(seed: seed, rivals.first)
        try rivals.second.runUnchecked {
            try program.watch(rivals.second)
        }
        let rounds = 70
        for round in 0..<rounds {
            var saved: Notification?
            let observer = Observer(.NSManagedObjectContextDidSave, of: rivals.first) { saved = $0 }
            if program.chance(25) { try rivals.first.runUnchecked { try program.changeElsewhere() } }
            withExtendedLifetime(observer) {}
            try rivals.second.runUnchecked {
                try program.change(merging: saved)
                let problem = try program.problem()
                #expect(problem == nil, "OPENCOREDATA_SEED=\(seed), \(kind), round \(round)")
            }
        }
        try rivals.second.runUnchecked { #expect(program.told > rounds) }
    }
}

private struct RandomResults {
    private var random: SeededGenerator
    private let other: NSManagedObjectContext
    private var context: NSManagedObjectContext!
    private var delegate = ResultsDelegate()
    private var controller: NSFetchedResultsController<Recorder>!
    private var results: FetchedResults<Recorder>!
    private final class Mirror {
        var objects: [NSManagedObject] = []
        var differences: [FetchedResultsDifference] = []
    }
    private let mirror = Mirror()
    private var observation: ManagedObjectObservation?
    private(set) var told = 0

    init(seed: UInt64, _ other: NSManagedObjectContext) {
        random = SeededGenerator(seed: seed)
        self.other = other
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private static func request(_ sortKeys: [String]) -> NSFetchRequest<Recorder> {
        .persons(by: sortKeys, NSPredicate(format: "age >= 20"))
    }

    mutating func watch(_ context: NSManagedObjectContext) throws {
        self.context = context
        context.undoManager = nil
        controller = NSFetchedResultsController(
            fetchRequest: Self.request(["small", "age", "big"]), managedObjectContext: context, sectionNameKeyPath: "small",
            cacheName: nil)
        controller.delegate = delegate
        try controller.performFetch()
        let fetched = try FetchedResults(Self.request(["age", "big"]), in: context)
        results = fetched
        let mirror = mirror
        observation = fetched.observe { mirror.differences.append($0) }
        mirror.objects = Array(fetched)
    }

    /// All persons of a context, in a fixed order.
    private func persons(_ context: NSManagedObjectContext) throws -> [Recorder] {
        let request = NSFetchRequest<Recorder>.persons(by: ["big"])
        return try context.fetch(request)
    }

    private mutating func values() -> [String: Any?] {
        [
            "small": Int.random(in: 0..<5, using: &random), "age": Int.random(in: 10..<40, using: &random),
            "big": Int.random(in: 0..<(1 << 40), using: &random),
        ]
    }

    private mutating func change(_ context: NSManagedObjectContext, _ persons: [Recorder]) {
        let alive = persons.filter { !$0.isDeleted && $0.managedObjectContext === context }
        let person = alive.randomElement(using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: context.make("Person", values())
        case 3: if let person { context.delete(person) }
        case 4: person?.set("score", Double.random(in: 0..<1, using: &random))
        case 5: person?.set("age", Int.random(in: 10..<40, using: &random))
        case 6, 7: person?.set("small", Int.random(in: 0..<5, using: &random))
        default: if let person { for (key, value) in values() { person.set(key, value) } }
        }
    }

    mutating func changeElsewhere() throws {
        other.reset()
        let persons = try persons(other)
        for _ in 0..<Int.random(in: 1..<6, using: &random) { change(other, persons) }
        try other.save()
    }

    /// One round of changes here, with or without a merge.
    mutating func change(merging notification: Notification?) throws {
        let all = try persons(context)
        told += delegate.order.isEmpty ? 0 : 1
        start()
        if let notification {
            // What is unsaved here and deleted there is not compared: the deletion wins at once.
            context.mergeChanges(fromContextDidSave: notification)
        } else {
            switch Int.random(in: 0..<20, using: &random) {
            case 0: context.refreshAllObjects()
            case 1: context.rollback()
            case 2...4: try context.save()
            default: for _ in 0..<Int.random(in: 1..<12, using: &random) { change(context, all) }
            }
        }
        context.processPendingChanges()
    }

    private func start() {
        delegate.forget()
        mirror.differences = []
    }

    /// What is wrong after the round; nil if all is well.
    mutating func problem() throws -> String? {
        delegate.replay(controller.sections?.map { $0.objects as? [NSManagedObject] ?? [] } ?? [])
        told += delegate.steps.count
        let expected = try context.fetch(Self.request(["small", "age", "big"]))
        if controller.fetchedObjects != expected {
            return
                "the controller has \(controller.fetchedObjects?.count ?? -1) objects, a fetch \(expected.count), or in another order"
        }
        let names = controller.sections?.map(\.name) ?? []
        if names != expected.map({ "\($0.number("small") ?? -1)" }).reduce(into: [], { if $0.last != $1 { $0.append($1) } }) {
            return "the sections are \(names)"
        }
        for (position, object) in expected.enumerated() where results.position(of: object) == nil {
            return "object \(position) has no position"
        }
        let flat = try context.fetch(Self.request(["age", "big"]))
        if Array(results) != flat { return "the results are not those of a fetch" }
        if mirror.differences.count > 1 { return "\(mirror.differences.count) differences in one round" }
        // IDs change by a save, so positions are what is followed.
        for difference in mirror.differences {
            let before = mirror.objects.count
            if before + difference.objectIDs.insertions.count - difference.objectIDs.removals.count != results.count {
                return "the difference counts wrong"
            }
            for removal in difference.objectIDs.removals.reversed() {
                guard case .remove(let offset, _, _) = removal else { continue }
                mirror.objects.remove(at: offset)
            }
            for insertion in difference.objectIDs.insertions {
                guard case .insert(let offset, _, _) = insertion else { continue }
                mirror.objects.insert(results[offset], at: offset)
            }
        }
        return mirror.objects.elementsEqual(Array(results), by: ===) ? nil : "the differences don't lead to the results"
    }
}
