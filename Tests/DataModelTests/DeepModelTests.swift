import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Models of any depth")
struct DeepModelTests {
    private func read(_ text: String) throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        try model.read(
            Data("<model type=\"com.apple.IDECoreDataModeler.DataModel\">\(text)</model>".utf8),
            from: URL(fileURLWithPath: "/deep"))
        return model
    }

    private func refused(_ text: String, _ reason: String) {
        let error = #expect(throws: NSError.self, "\(reason)") { try read(text) }
        #expect(error?.domain == NSCocoaErrorDomain && [259, 134060].contains(error?.code))
        #expect(error?.localizedDescription.contains(reason) == true, "\(error?.localizedDescription.prefix(300) ?? "")")
    }

    @Test(
        "R95: 50,000 elements one in the other, and a million, are an error with line and column",
        arguments: [101, 50_000, 1_000_000])
    func elements(_ depth: Int) {
        for name in ["entity", "x"] {
            let open = String(repeating: "<\(name) name='A'>", count: depth)
            refused(open + String(repeating: "</\(name)>", count: depth), "nested more than 100 levels deep")
            refused(open, "nested more than 100 levels deep")
        }
    }

    @Test("R95: composites in composites, by the thousand and in circles")
    func composites() {
        let chain = (0..<20_000).map {
            "<composite name='C\($0)'><attribute name='c' attributeType='Composite' composite='C\($0 + 1)'/></composite>"
        }
        refused(
            chain.joined()
                + "<composite name='C20000'/><entity name='E'><attribute name='c' attributeType='Composite' composite='C0'/></entity>",
            "nested more than 32 levels deep")
        let bomb = (0..<40).map {
            "<composite name='C\($0)'><attribute name='a' attributeType='Composite' composite='C\($0 + 1)'/><attribute name='b' attributeType='Composite' composite='C\($0 + 1)'/></composite>"
        }
        refused(
            bomb.joined()
                + "<composite name='C40'/><entity name='E'><attribute name='c' attributeType='Composite' composite='C0'/></entity>",
            "E.c")
    }

    @Test("R95: chains and circles of superentities")
    func superentities() {
        let chain = (0..<20_000).map { "<entity name='E\($0)' parentEntity='E\($0 + 1)'/>" }.joined()
        refused(chain + "<entity name='E20000'/>", "more than 200 levels of superentities")
        refused(
            (0..<5_000).map { "<entity name='E\($0)' parentEntity='E\(($0 + 1) % 5_000)'/>" }.joined(), "levels of superentities")
        refused(
            "<entity name='A' parentEntity='B'/><entity name='B' parentEntity='A'/><entity name='C' parentEntity='A'/>", "inherit"
        )
        let allowed = (0..<150).map { "<entity name='E\($0)' parentEntity='E\($0 + 1)'/>" }.joined() + "<entity name='E150'/>"
        #expect(throws: Never.self) { try #expect(read(allowed).structuralProblems == []) }
    }

    // MARK: In code

    @Test(
        "R95: composites made in code, 100,000 deep and in a circle, are copied, hashed, frozen, laid out and let go of; the model has a problem"
    )
    func compositesInCode() throws {
        let circle = DeepModels.composite([])
        let text = NSAttributeDescription()
        text.name = "t"
        circle.elements = [circle, text, circle]
        defer { _ = Unmanaged.passRetained(circle) }
        for composite in [DeepModels.composite(100_000), circle] {
            let model = DeepModels.model(composite)
            #expect(model.structuralProblems.count == 1)
            #expect(model.structuralProblems.first?.contains("E.c: the composite ") == true)
            let copy = try #require(model.copy() as? NSManagedObjectModel)
            #expect(copy.structuralProblems == model.structuralProblems)
            #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
            model.freeze()
            #expect(composite.isFrozen && composite.elements[0].isFrozen)
            _ = "\(model) \(model.entities) \(composite)"
        }
        let sound = try #require(DeepModels.composite(31).copy() as? NSCompositeAttributeDescription)
        #expect(sound.nestingProblem == nil && sound.elements.count == 1)
    }

    @Test("R95: entities made in code, 100,000 levels of them and in a circle")
    func entitiesInCode() {
        for isCircle in [false, true] {
            DeepModels.withEntities(isCircle ? 500 : 100_000, isCircle: isCircle) { model in
                #expect(model.structuralProblems.count == 1)
                #expect(model.structuralProblems.first?.contains("levels of superentities") == true)
            }
        }
    }
}
