import Foundation
import FoundationGaps
import Predicates
import Testing

@Suite("Arguments and transformers as code for Apple's systems has them")
struct ForeignArgumentTests {
    @Test("R68: values that are cast to CVarArg are arguments of a format")
    func casts() throws {
        let id = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let url = try #require(URL(string: "https://example.com/a"))
        let values: [(any CVarArg, Any)] = [
            (id as any CVarArg, id), (date as any CVarArg, date), (url as any CVarArg, url),
            (Data([1, 2]) as any CVarArg, Data([1, 2])),
            ("text" as any CVarArg, "text"), (NSNumber(value: 3) as any CVarArg, 3),
            (NSUUID(uuidString: id.uuidString)! as any CVarArg, id),
            (Decimal(4) as any CVarArg, Decimal(4)),
        ]
        for (argument, value) in values {
            #expect(NSPredicate(format: "value == %@", argument).evaluate(with: ["value": value]), "\(value)")
        }
        #expect(NSPredicate(format: "value IN %@", [1, 2] as any CVarArg).evaluate(with: ["value": 2]))
        #expect(NSPredicate(format: "value IN %@", Set(["a"]) as any CVarArg).evaluate(with: ["value": "a"]))
        let names: [String: Int] = ["a": 1]
        #expect((names as any CVarArg) is [String: Int])
    }

    @Test("autoreleasepool runs its block, gives its result, and passes its error on")
    func pools() throws {
        struct Failure: Error {}
        #expect(autoreleasepool { 3 } == 3)
        #expect(throws: Failure.self) { try autoreleasepool { throw Failure() } }
        var runs = 0
        autoreleasepool { runs += 1 }
        autoreleasepool(invoking: { runs += 1 })
        #expect(runs == 2)
    }

    private final class EndingTransformer: ValueTransformer, @unchecked Sendable {
        // Who ends may use the list of transformers.
        deinit { ValueTransformer.setValueTransformer(nil, forName: NSValueTransformerName("Ending, afterwards")) }
    }

    @Test("a transformer that is replaced ends when the list of transformers is free again", .timeLimit(.minutes(5)))
    func replacedTransformers() {
        let name = NSValueTransformerName("Ending")
        ValueTransformer.setValueTransformer(EndingTransformer(), forName: name)
        ValueTransformer.setValueTransformer(EndingTransformer(), forName: name)
        #expect(ValueTransformer.valueTransformerNames().contains(name))
        ValueTransformer.setValueTransformer(nil, forName: name)
        #expect(!ValueTransformer.valueTransformerNames().contains(name))
    }

    @Test("R68: a format takes its arguments from a C list")
    func lists() throws {
        let id = UUID()
        let arguments: [any CVarArg] = ["name", "ann" as NSString, 7, 2.5, id as NSUUID, -3, [1, 2] as NSArray]
        let predicate = withVaList(arguments) {
            NSPredicate(
                format: "%K == %@ AND n == %d AND x < %f AND id == %@ AND m >= %ld AND n IN %@ OR '%@' == 'x'", arguments: $0)
        }
        let wanted = NSPredicate(
            format: "%K == %@ AND n == %d AND x < %f AND id == %@ AND m >= %ld AND n IN %@ OR '%@' == 'x'",
            argumentArray: ["name", "ann", 7, 2.5, id, -3, [1, 2]])
        #expect(predicate == wanted)
        #expect(
            withVaList([id, Date(timeIntervalSinceReferenceDate: 1)]) {
                NSPredicate(format: "a == %@ AND b > %@", arguments: $0)
            }
            .evaluate(with: ["a": id, "b": Date()]))
    }

    @Test("R68: Apple's transformers are registered under their names")
    func transformers() throws {
        for name in [
            NSValueTransformerName.secureUnarchiveFromDataTransformerName, .keyedUnarchiveFromDataTransformerName,
            .unarchiveFromDataTransformerName,
        ] {
            let transformer = try #require(ValueTransformer(forName: name) as? NSSecureUnarchiveFromDataTransformer)
            let data = try #require(transformer.reverseTransformedValue(["a", "b"]) as? Data)
            #expect(transformer.transformedValue(data) as? [String] == ["a", "b"])
        }
        let negation = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
        #expect(negation.transformedValue(true) as? Bool == false && negation.reverseTransformedValue(false) as? Bool == true)
        #expect(ValueTransformer(forName: .isNilTransformerName)?.transformedValue(nil) as? Bool == true)
        #expect(ValueTransformer(forName: .isNotNilTransformerName)?.transformedValue("x") as? Bool == true)
        #expect(ObjectIdentifier(ValueTransformer.transformedValueClass()) == ObjectIdentifier(NSObject.self))
        #expect(ObjectIdentifier(Named.transformedValueClass()) == ObjectIdentifier(NSString.self))
    }

    private final class Named: ValueTransformer, @unchecked Sendable {
        override class func transformedValueClass() -> AnyClass { NSString.self }
    }
}
