import Foundation
import Testing

@Suite("The states of an object")
struct ObjectStateTests {
    @Test("each has a bit of its own, and there is room for all")
    func bits() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let source = folder.deletingLastPathComponent().appendingPathComponent("Sources/ObjectGraph/Objects/ObjectState.swift")
        let text = try String(contentsOf: source, encoding: .utf8)
        let bits = text.matches(of: /(static (?:let|var) \w+)[^\n]*ObjectState\(rawValue: 1 << (\d+)\)/).compactMap { Int($0.2) }
        let members = text.matches(of: /static (?:let|var) \w+/).count
        // All but the mask made of others.
        #expect(bits.count == members - 1 && bits.count > 25)
        #expect(Set(bits).count == bits.count, "\(bits.sorted())")
        #expect(bits.allSatisfy { 0..<32 ~= $0 })
    }
}
