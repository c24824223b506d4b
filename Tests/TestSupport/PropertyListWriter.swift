package import Foundation

/// Writes binary property lists as no archiver would: collections that contain themselves, references to nothing, keys that stand twice.
package struct PropertyListWriter {
    package indirect enum Element {
        case bool(Bool)
        case integer(Int64)
        case real(Double)
        case data(Data)
        case text(String)
        case uid(Int)
        /// Elements by number, whether there is one or not.
        case array([Int])
        case dictionary([(key: Int, value: Int)])
        /// Bytes that stand for themselves.
        case raw([UInt8])
    }

    package var elements: [Element] = []

    package init() {}

    /// - Returns: The element's number.
    package mutating func add(_ element: Element) -> Int {
        elements.append(element)
        return elements.count - 1
    }

    package mutating func dictionary(_ members: [(String, Element)]) -> Int {
        let pairs = members.map { (key: add(.text($0)), value: add($1)) }
        return add(.dictionary(pairs))
    }

    package func data(top: Int) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for element in elements {
            offsets.append(bytes.count)
            switch element {
            case .bool(let value): bytes.append(value ? 9 : 8)
            case .integer(let value): bytes += [0x13] + big(UInt64(bitPattern: value), 8)
            case .real(let value): bytes += [0x23] + big(value.bitPattern, 8)
            case .data(let data): bytes += marker(0x40, data.count) + data
            case .text(let text):
                if text.utf8.allSatisfy({ $0 < 0x80 }) {
                    bytes += marker(0x50, text.utf8.count) + text.utf8
                } else {
                    bytes += marker(0x60, text.utf16.count) + text.utf16.flatMap { big(UInt64($0), 2) }
                }
            case .uid(let number): bytes += [0x83] + big(UInt64(UInt32(truncatingIfNeeded: number)), 4)
            case .array(let items): bytes += marker(0xa0, items.count) + items.flatMap(reference)
            case .dictionary(let pairs):
                bytes += marker(0xd0, pairs.count) + pairs.map(\.key).flatMap(reference) + pairs.map(\.value).flatMap(reference)
            case .raw(let raw): bytes += raw
            }
        }
        let table = bytes.count
        bytes += offsets.flatMap { big(UInt64($0), 8) }
        bytes += [0, 0, 0, 0, 0, 0, 8, 4] + big(UInt64(offsets.count), 8) + big(UInt64(top), 8) + big(UInt64(table), 8)
        return Data(bytes)
    }

    private func big(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    private func reference(_ number: Int) -> [UInt8] { big(UInt64(UInt32(truncatingIfNeeded: number)), 4) }

    private func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 15, 0x13] + big(UInt64(count), 8)
    }
}

/// Writes keyed archives as no archiver would.
package struct ArchiveWriter {
    package enum Member {
        case object(Int)
        case objects([Int])
        case plain(PropertyListWriter.Element)
    }

    private enum Object {
        case plain(PropertyListWriter.Element)
        case instance(String, hints: [String], [(String, Member)])
    }

    private var objects: [Object] = [.plain(.text("$null"))]

    package init() {}

    package var count: Int { objects.count }

    /// - Returns: The object's number.
    package mutating func add(_ element: PropertyListWriter.Element) -> Int {
        objects.append(.plain(element))
        return objects.count - 1
    }

    /// - Returns: The object's number.
    package mutating func add(_ name: String, hints: [String] = [], _ members: [(String, Member)]) -> Int {
        objects.append(.instance(name, hints: hints, members))
        return objects.count - 1
    }

    /// - Parameter classOffset: What is added to all references to classes.
    package func data(root: Int, classOffset: Int = 0) -> Data {
        var list = PropertyListWriter()
        var names: [String: Int] = [:]
        var numbers: [Int] = []
        var classes: [Int] = []
        for object in objects {
            switch object {
            case .plain(let element): numbers.append(list.add(element))
            case .instance(let name, let hints, let members):
                let key = name + "|" + hints.joined(separator: "|")
                if names[key] == nil {
                    names[key] = objects.count + classes.count
                    let chain = list.add(.array([list.add(.text(name)), list.add(.text("NSObject"))]))
                    var pairs = [(list.add(.text("$classname")), list.add(.text(name))), (list.add(.text("$classes")), chain)]
                    if !hints.isEmpty {
                        let hints = hints.map { list.add(.text($0)) }
                        pairs.append((list.add(.text("$classhints")), list.add(.array(hints))))
                    }
                    classes.append(list.add(.dictionary(pairs.map { (key: $0.0, value: $0.1) })))
                }
                var pairs: [(key: Int, value: Int)] = [
                    (key: list.add(.text("$class")), value: list.add(.uid((names[key] ?? 0) + classOffset)))
                ]
                for (key, member) in members {
                    let value =
                        switch member {
                        case .object(let number): list.add(.uid(number))
                        case .objects(let numbers): list.add(.array(numbers.map { list.add(.uid($0)) }))
                        case .plain(let element): list.add(element)
                        }
                    pairs.append((key: list.add(.text(key)), value: value))
                }
                numbers.append(list.add(.dictionary(pairs)))
            }
        }
        let all = list.add(.array(numbers + classes))
        let top = list.add(.dictionary([(key: list.add(.text("root")), value: list.add(.uid(root)))]))
        let pairs = [
            (key: list.add(.text("$archiver")), value: list.add(.text("NSKeyedArchiver"))),
            (key: list.add(.text("$version")), value: list.add(.integer(100_000))),
            (key: list.add(.text("$objects")), value: all), (key: list.add(.text("$top")), value: top),
        ]
        let archive = list.add(.dictionary(pairs))
        return list.data(top: archive)
    }
}
