import DataModel
import Storage
import TestSupport
import Testing

@Suite("Layouts of models of any depth")
struct DeepLayoutTests {
    @Test("R95: composites of any depth, and circles of them, get no slots")
    func composites() {
        let circle = DeepModels.composite([])
        circle.elements = [circle]
        defer { circle.elements = [] }
        for deep in [circle, DeepModels.composite(1_000)] {
            #expect(ModelLayout(DeepModels.model(deep)).entities[0].slots.isEmpty)
        }
    }

    @Test("R95: superentities of any number, and circles of them, are laid out as far as the bound", arguments: [false, true])
    func entities(isCircle: Bool) {
        DeepModels.withEntities(isCircle ? 500 : 10_000, isCircle: isCircle) { model in
            #expect(ModelLayout(model).entities.count == (isCircle ? 0 : 201))
        }
    }
}
