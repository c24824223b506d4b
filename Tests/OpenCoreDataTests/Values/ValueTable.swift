import OpenCoreData
import Synchronization
import TestSupport

/// Tries each odd value on each way into a store, reads it by each way out, and tells what came of it.
final class ValueTable {
    enum WayIn: String, CaseIterable {
        case property = "Property"
        case handmade = "@Managed"
        case key = "Key-value coding"
        case required = "Required attribute"
        case element = "Element of a composite"
        case child = "Child context"
        case batchInsert = "Batch insert"
        case batchUpdate = "Batch update"
        case modelDefault = "Default"
        case otherProgram = "Other program"

        var entity: String {
            switch self {
            case .handmade: "Handmade"
            case .required: "Strict"
            default: "Holder"
            }
        }

        func path(_ attribute: String) -> String { self == .element ? "box.\(HolderModel.element(attribute))" : attribute }
    }

    enum Outcome: Equatable {
        /// This way can't give the value.
        case impossible
        /// The way in refuses the value with an error.
        case refused(Int)
        /// The value is in the store, and can't be read: an error tells so.
        case unreadable(Int)
        /// What is read.
        case kept(String)
    }

    let isInMemory: Bool
    let values = OddValue.all
    private(set) var outcomes: [[WayIn: Outcome]] = []
    /// Where two ways out disagree.
    private(set) var disagreements: [String] = []
    private let folder: TemporaryFolder
    private var kept: [(number: Int, way: WayIn, value: OddValue)] = []

    init(isInMemory: Bool) throws {
        self.isInMemory = isInMemory
        folder = try TemporaryFolder()
    }

    private func coordinator(_ model: NSManagedObjectModel, _ name: String) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: isInMemory ? NSInMemoryStoreType : NSSQLiteStoreType, configurationName: nil,
            at: isInMemory ? nil : folder.file(name), options: nil)
        return coordinator
    }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func fill() throws {
        let model = HolderModel.make()
        let main = try coordinator(model, "main.sqlite")
        var reading = main
        for (index, value) in values.enumerated() {
            outcomes.append([:])
            for (offset, way) in WayIn.allCases.enumerated() {
                let number = index * 100 + offset + 1
                outcomes[index][way] = try set(value, way, number, main)
            }
        }
        if !isInMemory {
            // What was written, seen by a coordinator that knows nothing of it.
            reading = try coordinator(HolderModel.make(), "main.sqlite")
        }
        for index in outcomes.indices {
            for (offset, way) in WayIn.allCases.enumerated() where way != .modelDefault {
                guard case .kept(let before)? = outcomes[index][way] else { continue }
                let found = try read(index * 100 + offset + 1, way, values[index], reading, before)
                outcomes[index][way] = found
                if case .kept = found { kept.append((index * 100 + offset + 1, way, values[index])) }
            }
        }
        try checkOrder(reading)
    }

    // MARK: Ways in

    /// - Returns: `kept` with the value as it was before saving, if there was any.
    private func set(
        _ value: OddValue, _ way: WayIn, _ number: Int, _ coordinator: NSPersistentStoreCoordinator
    ) throws -> Outcome {
        switch way {
        case .property:
            guard let property = value.property else { return .impossible }
            return insert(way, number, value, coordinator) { ($0 as? Holder).map(property) }
        case .handmade:
            guard let property = value.handmade else { return .impossible }
            return insert(way, number, value, coordinator) { ($0 as? Handmade).map(property) }
        case .key, .required, .child:
            guard let object = value.object else { return .impossible }
            return insert(way, number, value, coordinator) { $0.setValue(object, forKey: value.attribute) }
        case .element:
            guard let object = value.object else { return .impossible }
            return insert(way, number, value, coordinator) {
                $0.setValue([HolderModel.element(value.attribute): object], forKey: "box")
            }
        case .batchInsert, .batchUpdate:
            guard let object = value.object, !isInMemory else { return .impossible }
            return batch(way, number, [value.attribute: object], coordinator)
        case .modelDefault:
            guard let object = value.object else { return .impossible }
            return try byDefault(value, object)
        case .otherProgram:
            guard let sql = value.sql, !isInMemory else { return .impossible }
            guard case .kept = batch(.batchInsert, number, [:], coordinator) else { return .impossible }
            let database = try Database(folder.file("main.sqlite"))
            try database.execute("UPDATE ZHOLDER SET Z\(value.attribute.uppercased()) = \(sql) WHERE ZNUMBER = \(number)")
            return .kept("")
        }
    }

    private func insert(
        _ way: WayIn, _ number: Int, _ value: OddValue, _ coordinator: NSPersistentStoreCoordinator,
        _ set: @escaping (NSManagedObject) -> Void
    ) -> Outcome {
        let parent = context(coordinator)
        let child = way == .child ? NSManagedObjectContext(.privateQueue) as NSManagedObjectContext? : nil
        child?.parent = parent
        let before: (String, Int?) = (child ?? parent).run { context in
            let object = NSEntityDescription.insertNewObject(forEntityName: way.entity, into: context)
            object.setValue(number, forKey: "number")
            set(object)
            // Must not stop the program.
            _ = object.description
            let text = ValueText.show(object.value(forKeyPath: way.path(value.attribute)))
            do { try context.save() } catch { return (text, (error as NSError).code) }
            self.checkRefresh(object, way, value, text)
            return (text, nil)
        }
        if let code = before.1 { return .refused(code) }
        if child != nil {
            let code: Int? = parent.run { context in
                do { try context.save() } catch { return (error as NSError).code }
                return nil
            }
            if let code { return .refused(code) }
        }
        return .kept(before.0)
    }

    /// What is in memory after saving is what the store has: a refresh changes nothing, and observers hear of no change, nor of one to the same value.
    private func checkRefresh(_ object: NSManagedObject, _ way: WayIn, _ value: OddValue, _ before: String) {
        let context = object.managedObjectContext
        if way.path(value.attribute) == value.attribute, let same = object.value(forKey: value.attribute),
            value.attribute != "shape"
        {
            let log = Mutex<[String]>([])
            let observation = context?.changes(of: object).updated().observe { change in
                log.withLock { $0.append("\(change.kind)") }
            }
            context?.refresh(object, mergeChanges: true)
            context?.processPendingChanges()
            object.setValue(same, forKey: value.attribute)
            context?.processPendingChanges()
            observation?.cancel()
            let told = log.withLock { $0 }
            if !told.isEmpty { disagree(value, way, "observers hear of \(told)") }
            context?.rollback()
        }
        context?.refresh(object, mergeChanges: false)
        let path = way.path(value.attribute)
        let after = ValueText.show(object.value(forKeyPath: path))
        if after != before { disagree(value, way, "\(before) before the save, \(after) after it") }
    }

    private func batch(
        _ way: WayIn, _ number: Int, _ values: [String: Any], _ coordinator: NSPersistentStoreCoordinator
    ) -> Outcome {
        context(coordinator).run { context in
            do {
                if way == .batchInsert {
                    let all = values.merging(["number": number]) { $1 }
                    _ = try context.execute(NSBatchInsertRequest(entityName: "Holder", objects: [all]))
                } else {
                    _ = try context.execute(NSBatchInsertRequest(entityName: "Holder", objects: [["number": number]]))
                    let request = NSBatchUpdateRequest(entityName: "Holder")
                    request.predicate = NSPredicate(format: "number == %ld", number)
                    request.propertiesToUpdate = values
                    _ = try context.execute(request)
                }
                return .kept("")
            } catch {
                return .refused((error as NSError).code)
            }
        }
    }

    private func byDefault(_ value: OddValue, _ object: Any) throws -> Outcome {
        let name = "default-\(UUID().uuidString).sqlite"
        let writing: NSPersistentStoreCoordinator
        do {
            writing = try coordinator(HolderModel.make(defaults: [value.attribute: object]), name)
        } catch {
            return .refused((error as NSError).code)
        }
        let outcome = insert(.modelDefault, 1, value, writing) { _ in }
        guard case .kept(let before) = outcome else { return outcome }
        let reading = isInMemory ? writing : try coordinator(HolderModel.make(), name)
        return try read(1, .modelDefault, value, reading, before)
    }

    // MARK: Ways out

    private func disagree(_ value: OddValue, _ way: WayIn, _ text: String) {
        disagreements.append("\(value.attribute) \(value.label), \(way.rawValue)\(isInMemory ? ", in memory" : ""): \(text)")
    }

    private func read(
        _ number: Int, _ way: WayIn, _ value: OddValue, _ coordinator: NSPersistentStoreCoordinator, _ before: String
    ) throws -> Outcome {
        try context(coordinator).run { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: way.entity)
            request.predicate = NSPredicate(format: "number == %ld", number)
            request.returnsObjectsAsFaults = false
            let path = way.path(value.attribute)
            let objects: [NSManagedObject]
            do {
                objects = try context.fetch(request)
            } catch {
                let code = (error as NSError).code
                self.checkUnreadable(number, way, value, path, context, code)
                return .unreadable(code)
            }
            guard objects.count == 1 else {
                self.disagree(value, way, "\(objects.count) objects are found")
                return .impossible
            }
            let object = objects[0]
            let found = object.value(forKeyPath: path)
            let text = ValueText.show(found)
            if !before.isEmpty, before != text { self.disagree(value, way, "\(before) when set, \(text) in the store") }
            self.checkProperty(object, way, value, text)
            try self.checkDictionary(number, way, value, path, context, text)
            if let found { try self.checkPredicates(object, number, way, value, path, context, found) }
            return .kept(text)
        }
    }

    /// What an object can't have, a dictionary can't either.
    private func checkUnreadable(
        _ number: Int, _ way: WayIn, _ value: OddValue, _ path: String, _ context: NSManagedObjectContext, _ code: Int
    ) {
        let request = NSFetchRequest<NSDictionary>(entityName: way.entity)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [path]
        request.predicate = NSPredicate(format: "number == %ld", number)
        do {
            let found = try context.fetch(request)
            disagree(value, way, "an object is error \(code), a dictionary is \(found.map { ValueText.show($0[path]) })")
        } catch {
            if (error as NSError).code != code {
                disagree(value, way, "an object is error \(code), a dictionary error \((error as NSError).code)")
            }
        }
    }

    private func checkProperty(_ object: NSManagedObject, _ way: WayIn, _ value: OddValue, _ text: String) {
        guard way != .element else { return }
        func check<Object: NSManagedObject, Value>(_ object: Object, _ keyPath: KeyPath<Object, Value?>) {
            let found = ValueText.show(object[keyPath: keyPath])
            if found != text { disagree(value, way, "\(text) by key, \(found) by property") }
        }
        if let object = object as? Handmade {
            switch value.attribute {
            case "int16": check(object, \.int16)
            case "int32": check(object, \.int32)
            case "float": check(object, \.float)
            case "decimal": check(object, \.decimal)
            default: break
            }
        }
        guard let holder = object as? Holder else { return }
        do {
            let found: Any? =
                switch value.attribute {
                case "int16": try holder.value(of: \.int16)
                case "int32": try holder.value(of: \.int32)
                case "int64": try holder.value(of: \.int64)
                case "flag": try holder.value(of: \.flag)
                case "double": try holder.value(of: \.double)
                case "float": try holder.value(of: \.float)
                case "decimal": try holder.value(of: \.decimal)
                case "date": try holder.value(of: \.date)
                case "text": try holder.value(of: \.text)
                case "link": try holder.value(of: \.link)
                case "uuid": try holder.value(of: \.uuid)
                case "bytes": try holder.value(of: \.bytes)
                default: try holder.value(of: \.shape)
                }
            if ValueText.show(found) != text { disagree(value, way, "\(text) by key, \(ValueText.show(found)) by property") }
        } catch {
            // The property's type has no such value, and says so.
            if way != .otherProgram { disagree(value, way, "\(text) by key, \(error) by property") }
        }
    }

    private func checkDictionary(
        _ number: Int, _ way: WayIn, _ value: OddValue, _ path: String, _ context: NSManagedObjectContext, _ text: String
    ) throws {
        let request = NSFetchRequest<NSDictionary>(entityName: way.entity)
        request.resultType = .dictionaryResultType
        request.predicate = NSPredicate(format: "number == %ld", number)
        var columns: [Any] = [path]
        func add(_ name: String) {
            let description = NSExpressionDescription()
            description.name = name
            description.expression = NSExpression(
                forFunction: name + ":", arguments: [NSExpression(forKeyPath: path)])
            description.resultType = HolderModel.attributes.first { $0.name == value.attribute }?.type ?? .undefined
            columns = [description]
        }
        func result() throws -> String {
            request.propertiesToFetch = columns
            let rows = try context.fetch(request)
            guard rows.count == 1 else { return "\(rows.count) rows" }
            return ValueText.show(rows[0].allValues.first)
        }
        var found = try result()
        if found != text { disagree(value, way, "\(text) by key, \(found) in a dictionary") }
        guard value.attribute != "shape", value.attribute != "bytes" || !isInMemory else { return }
        for function in ["min", "max"] {
            add(function)
            found = try result()
            if found != text { disagree(value, way, "\(text) by key, \(found) as \(function)") }
        }
        if ["int16", "int32", "int64", "double", "float", "decimal"].contains(value.attribute) {
            for function in ["sum", "average"] where !(value.attribute.hasPrefix("int") && function == "average") {
                add(function)
                found = try result()
                if found != text { disagree(value, way, "\(text) by key, \(found) as \(function)") }
            }
        }
    }

    private func checkPredicates(
        _ object: NSManagedObject, _ number: Int, _ way: WayIn, _ value: OddValue, _ path: String,
        _ context: NSManagedObjectContext, _ found: Any
    ) throws {
        guard value.attribute != "shape" else { return }
        // Comparing a URI with a text is an error, also with one that another program put there.
        if value.attribute == "link", found is String { return }
        let formats: [(String, [Any], Bool)] =
            [
                ("\(path) == %@", [found], true), ("\(path) != %@", [found], false), ("\(path) == nil", [], false),
                ("\(path) != nil", [], true), ("\(path) IN %@", [[found]], true), ("NOT \(path) == %@", [found], false),
            ]
            + [
                ("\(path) >= %@", [found], true), ("\(path) <= %@", [found], true), ("\(path) < %@", [found], false),
                ("\(path) > %@", [found], false), ("\(path) BETWEEN {%@, %@}", [found, found], true),
            ]
        for (format, arguments, expected) in formats {
            let predicate = NSPredicate(format: format, argumentArray: arguments)
            if predicate.evaluate(with: object) != expected { disagree(value, way, "\(format) is \(!expected) in memory") }
            let request = NSFetchRequest<NSManagedObject>(entityName: way.entity)
            request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
                NSPredicate(format: "number == %ld", number), predicate,
            ])
            if try context.count(for: request) != (expected ? 1 : 0) {
                disagree(value, way, "\(format) is \(!expected) in the store")
            }
        }
        // Another value that means the same finds it, too.
        if value.attribute == "flag" {
            let other = NSPredicate(format: (found as? Bool) == true ? "\(path) == YES" : "\(path) == NO")
            let request = NSFetchRequest<NSManagedObject>(entityName: way.entity)
            request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
                NSPredicate(format: "number == %ld", number), other,
            ])
            if try context.count(for: request) != 1 { disagree(value, way, "\(other) does not find it") }
        }
    }

    /// Sorted by the store and in memory, and once each.
    private func checkOrder(_ coordinator: NSPersistentStoreCoordinator) throws {
        for (attribute, type) in HolderModel.attributes where type != .transformable {
            let numbers = kept.filter { $0.way.entity == "Holder" && $0.way != .element && $0.value.attribute == attribute }
                .map(\.number)
            try context(coordinator).run { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Holder")
                request.predicate = NSPredicate(format: "number IN %@", numbers)
                let order = [
                    NSSortDescriptor(key: attribute, ascending: true), NSSortDescriptor(key: "number", ascending: true),
                ]
                request.sortDescriptors = order
                let sorted = try context.fetch(request)
                func texts(_ objects: [NSManagedObject]) -> [String] {
                    objects.map {
                        "\(ValueText.show($0.value(forKey: attribute))) of \(ValueText.show($0.value(forKey: "number")))"
                    }
                }
                let own = texts(sorted.sorted(by: order))
                if texts(sorted) != own { self.disagreements.append("\(attribute) sorted: \(texts(sorted)) and \(own)") }
                let distinct = NSFetchRequest<NSDictionary>(entityName: "Holder")
                distinct.resultType = .dictionaryResultType
                distinct.predicate = request.predicate
                distinct.propertiesToFetch = [attribute]
                distinct.returnsDistinctResults = true
                let values = try context.fetch(distinct).map { ValueText.show($0[attribute]) }.sorted()
                let expected = Set(sorted.map { ValueText.show($0.value(forKey: attribute)) }).sorted()
                if values != expected { self.disagreements.append("\(attribute) distinct: \(values) and \(expected)") }
            }
        }
    }
}
