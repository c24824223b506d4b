import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Properties that count as set in a new object")
struct SetPropertiesTests {
    @Test(
        "R03: among more than 64 properties, too, what was set to its default value counts as not set",
        arguments: StackKind.allCases)
    func manyProperties(_ kind: StackKind) throws {
        var maker = ModelMaker()
        maker.entity("Wide", (0..<140).map { ModelMaker.attribute("a\($0)", .integer64, default: $0 % 2 == 0 ? $0 : nil) })
        maker.point("Wide", "other", .one, "Wide")
        let stack = try TestStack(kind, maker.model())
        try stack.run { context throws in
            let object = context.make("Wide")
            for number in [8, 70] { object.set("a\(number)", number) }
            let before = object._setProperties
            for number in [0, 66, 130] { object.set("a\(number)", number) }
            for number in [1, 67, 131] { object.set("a\(number)", nil) }
            for number in [3, 4, 69, 135, 136] { object.set("a\(number)", 1000) }
            object.set("a6", nil)
            object.set("other", object)
            object._forgetDefaults(since: before)
            #expect(
                object.changedValues().keys.sorted()
                    == ["a8", "a70", "a3", "a4", "a69", "a135", "a136", "a6", "other"].sorted())
            try context.save()
            #expect(object.number("a130") == 130 && object.number("a69") == 1000)
        }
    }
}
