import Foundation
import TestSupport
import Testing

@testable import ObjectGraph

@Suite("Pages of objects by key")
struct ObjectPagesTests {
    /// An address that is never used.
    private func address(_ number: Int) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(bitPattern: 16 * (number + 1)).unsafelyUnwrapped
    }

    /// Does what a dictionary does, too, and compares.
    private struct Pair {
        var pages = ObjectPages()
        var model: [Int64: UnsafeMutableRawPointer] = [:]

        mutating func set(_ key: Int64, _ object: UnsafeMutableRawPointer) {
            if let place = pages.place(of: key) { place.pointee = object } else { pages.add(object, key: key) }
            model[key] = object
        }

        mutating func remove(_ key: Int64, _ object: UnsafeMutableRawPointer) {
            pages.remove(object, key: key)
            if model[key] == object { model[key] = nil }
        }

        mutating func check(_ keys: some Sequence<Int64>) {
            for key in keys { #expect(pages.place(of: key)?.pointee == model[key], "key \(key)") }
            var all: [UnsafeMutableRawPointer] = []
            pages.forEach { all.append($0) }
            #expect(all.sorted() == model.values.sorted())
            #expect(pages.isEmpty == model.isEmpty)
        }
    }

    @Test("any keys, added, replaced and removed in any order, are found as in a dictionary", arguments: 0..<40)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var pair = Pair()
        defer { pair.pages.deallocate() }
        // Few keys or many, close together or far apart, of both signs.
        let distances: [Int64] = [1, 1, 7, 511, 512, 513, 4096, Int64.max / 4096]
        let starts: [Int64] = [1, -1, 0, Int64.max - 5000, Int64.min, -2000]
        let count = Int.random(in: 1...3000, using: &random)
        let distance = distances[Int.random(in: 0..<distances.count, using: &random)]
        let first = starts[Int.random(in: 0..<starts.count, using: &random)]
        let keys = (0..<Int64(count)).map { first &+ ($0 &* distance) }
        for step in 0..<(4 * count) {
            let key = keys[Int.random(in: 0..<count, using: &random)]
            // In the second half, more go than come.
            if Int.random(in: 0..<10, using: &random) < (step < 2 * count ? 7 : 3) {
                pair.set(key, address(step))
            } else {
                pair.remove(key, pair.model[key] ?? address(step))
                // Another object's entry stays.
                pair.remove(keys[0], address(step))
            }
        }
        pair.check(keys)
        for key in keys { if let object = pair.model[key] { pair.remove(key, object) } }
        pair.check(keys)
        #expect(pair.pages.isEmpty)
    }

    @Test("keys in a row take about eight bytes each, lonely keys about a hundred, and none where all objects are gone")
    func memory() {
        func bytes(_ keys: some Sequence<Int64>, andRemove: Bool = false) -> Int {
            var pages = ObjectPages()
            defer { pages.deallocate() }
            var count = 0
            for key in keys {
                pages.add(address(count), key: key)
                count += 1
            }
            guard andRemove else { return pages.byteCount / count }
            count = 0
            for key in keys {
                pages.remove(address(count), key: key)
                count += 1
            }
            return pages.byteCount
        }
        #expect(bytes(Int64(1)...100_000) < 10)
        #expect(bytes(Int64(-100_000)...(-1)) < 10)
        #expect(bytes((0..<Int64(100_000)).map { $0 &* 0x1234_5678_9ABC }) < 150)
        #expect(bytes((0..<Int64(100_000)).map { Int64.max - $0 * 100_000 }) < 150)
        #expect(bytes((0..<Int64(100_000)).map { $0 * 16 }) < 130)
        #expect(bytes((0..<Int64(100_000)).map { $0 * 1000 }, andRemove: true) < 1000)
    }
}
