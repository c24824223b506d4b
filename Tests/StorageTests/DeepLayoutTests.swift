import DataModel
import Storage
import Testing

@Suite("Layouts of models of any depth")
struct DeepLayoutTests {
    @Test("R95: composites of any depth, and circles of them, get no slots")
    func composites() {
        func composite(_ elements: [NSAttributeDescription]) -> NSCompositeAttributeDescription {
            let composite = NSCompositeAttributeDescription()
            composite.name = "c"
            composite.elements = elements
            return composite
        }
        let circle = composite([])
        circle.elements = [circle]
        defer { circle.elements = [] }
        for deep in [circle, (0..<1_000).reduce(composite([])) { inner, _ in composite([inner]) }] {
            let entity = NSEntityDescription()
            entity.name = "E"
            entity.properties = [deep]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            #expect(ModelLayout(model).entities[0].slots.isEmpty)
        }
    }

    @Test("R95: superentities of any number, and circles of them, are laid out as far as the bound", arguments: [false, true])
    func entities(isCircle: Bool) {
        var entities: [NSEntityDescription] = []
        for number in 0..<(isCircle ? 500 : 10_000) {
            let entity = NSEntityDescription()
            entity.name = "E\(number)"
            if let last = entities.last { last.subentities = [entity] }
            entities.append(entity)
        }
        if isCircle { entities[499].subentities = [entities[0]] }
        let model = NSManagedObjectModel()
        model.entities = entities.reversed()
        #expect(ModelLayout(model).entities.count == (isCircle ? 0 : 201))
        if isCircle { entities[499].subentities = [] }
    }
}
