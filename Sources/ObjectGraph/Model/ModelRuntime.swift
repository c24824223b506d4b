import DataModel
import Foundation
package import Storage

/// What the object graph computes once for a model that is in use: layouts, classes, default rows.
///
/// `@unchecked Sendable`: every stored property is set in `init` and not changed before `deinit`; template rows are only copied.
package final class ModelRuntime: ModelRuntimeProtocol, @unchecked Sendable {
    package let layout: ModelLayout
    /// The class of the objects of each entity, by entity index.
    package let classes: [NSManagedObject.Type]
    /// The mismatches between an entity and its class, by entity index.
    let typeProblems: [[String]]
    /// A draft with the default values, by entity index.
    private(set) var templates: [Row]
    /// One sentence for each default value that its attribute can never hold.
    private let defaultProblems: [String]
    /// The functions that give a new object its computed initial values, by entity index.
    let initialValues: [((NSManagedObject) -> Void)?]
    /// The rules of the model for values, by entity index.
    let validationRules: [ValidationRules]
    private let entityByClass: [ObjectIdentifier: Int]

    static func of(_ model: NSManagedObjectModel) -> ModelRuntime { model.runtime { ModelRuntime(model) } }

    private init(_ model: NSManagedObjectModel) {
        var known: [ObjectIdentifier: NSManagedObject.Type] = [:]
        for entity in model.entities { known[ObjectIdentifier(entity)] = EntityClass.resolve(entity) }
        func objectClass(_ entity: NSEntityDescription) -> NSManagedObject.Type {
            known[ObjectIdentifier(entity)] ?? NSManagedObject.self
        }
        layout = ModelLayout(model) { (objectClass($0) as? any _SlotOrderedObject.Type)?._slotNames ?? [] }
        classes = layout.entities.map { objectClass($0.description) }
        typeProblems = zip(layout.entities, classes).map { entity, objectClass in
            (objectClass as? any _SlotOrderedObject.Type)?._typeMismatches(with: entity.description) ?? []
        }
        var problems: [String] = []
        templates = layout.entities.map { ModelRuntime.template($0, &problems) }
        defaultProblems = problems
        validationRules = layout.entities.map(ValidationRules.init)
        initialValues = classes.map { ($0 as? any _SlotOrderedObject.Type)?._initialValues }
        entityByClass = Dictionary(
            classes.enumerated().filter { $1 != NSManagedObject.self }.map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: min)
    }

    deinit {
        // The rows must go before their layouts do.
        templates = []
    }

    private static func template(_ layout: EntityLayout, _ problems: inout [String]) -> Row {
        let row = Row.emptyDraft(layout)
        for (index, slot) in layout.slots.enumerated() {
            guard let value = slot.attribute?.defaultValue, !(value is NSNull) else { continue }
            let wanted =
                switch SlotCoding.store(value, in: row, slot: index) {
                case .stored: ""
                case .wrongType: "must be \(SlotCoding.className(slot.attributeType)), not \(type(of: value))"
                case .unfit(let number): ValueProblem(number, for: slot.attributeType)?.text(slot.attributeType) ?? "is not valid"
                }
            guard !wanted.isEmpty else { continue }
            row.setNil(index)
            problems.append("The default value of “\(layout.name).\(slot.name)” \(wanted): \(ValueText.short(value))")
        }
        return row
    }

    /// The entity whose objects have this class. If there are several, it is their parent.
    func entity(for objectClass: AnyClass) -> EntityLayout? {
        entityByClass[ObjectIdentifier(objectClass)].map { layout.entities[$0] }
    }

    /// Throws if a class does not fit its entity, or a default value does not fit its attribute. One error lists all
    /// mistakes.
    func checkTypes() throws {
        guard defaultProblems.isEmpty else {
            throw NSError.coreData(
                NSManagedObjectValidationError,
                "The model's default values do not fit:\n" + defaultProblems.map { "  " + $0 }.joined(separator: "\n"),
                [NSDetailedErrorsKey: defaultProblems.map { NSError.coreData(NSManagedObjectValidationError, $0) }])
        }
        let problems = typeProblems.flatMap { $0 }
        guard !problems.isEmpty else { return }
        throw NSError.coreData(
            NSCoreDataError, "The classes do not fit the model:\n" + problems.map { "  " + $0 }.joined(separator: "\n"),
            [NSDetailedErrorsKey: problems.map { NSError.coreData(NSCoreDataError, $0) }])
    }
}
