package import Foundation

/// Writes keyed archives object by object, as `NSKeyedArchiver` would for classes that are not there.
package struct KeyedArchiveWriter {
    /// A member of an object.
    package enum Member {
        case bool(Bool)
        case integer(Int)
        case real(Double)
        /// Bytes or a text that stand in the object itself.
        case data(Data)
        case text(String)
        case object(Int)
        case objects([Int])
    }

    /// The number of nil.
    package static let null = 0

    private enum Object {
        case plain(BinaryPropertyListWriter.Scalar)
        case instance(classNumber: Int, [(String, Member)])
        case classDescription([String])
        case reserved
    }

    private var objects: [Object] = [.plain(.text("$null"))]
    private var scalars: [BinaryPropertyListWriter.Scalar: Int] = [:]
    private var classes: [String: Int] = [:]

    package init() {}

    /// The number of a text; equal ones are one object.
    package mutating func add(_ text: String) -> Int { add(.text(text)) }

    /// The number of a whole number.
    package mutating func add(_ number: Int) -> Int { add(.integer(Int64(number))) }

    /// The number of a truth value.
    package mutating func add(_ flag: Bool) -> Int { add(.bool(flag)) }

    /// The number of a floating-point number.
    package mutating func add(_ number: Double) -> Int { add(.real(number)) }

    /// The number of bytes.
    package mutating func add(_ data: Data) -> Int { add(.data(data)) }

    private mutating func add(_ scalar: BinaryPropertyListWriter.Scalar) -> Int {
        if let number = scalars[scalar] { return number }
        objects.append(.plain(scalar))
        scalars[scalar] = objects.count - 1
        return objects.count - 1
    }

    /// A number for an object that is filled later, because others refer to it.
    package mutating func reserve() -> Int {
        objects.append(.reserved)
        return objects.count - 1
    }

    /// - Parameter classes: The object's class, then its superclasses, without `NSObject`.
    package mutating func fill(_ number: Int, _ classes: [String], _ members: [(String, Member)]) {
        objects[number] = .instance(classNumber: classNumber(classes), members)
    }

    /// - Returns: The number of a new object.
    package mutating func add(_ classes: [String], _ members: [(String, Member)]) -> Int {
        let number = reserve()
        fill(number, classes, members)
        return number
    }

    private mutating func classNumber(_ names: [String]) -> Int {
        if let number = classes[names[0]] { return number }
        objects.append(.classDescription(names + ["NSObject"]))
        classes[names[0]] = objects.count - 1
        return objects.count - 1
    }

    /// The archive.
    package func data(root: Int) -> Data {
        var list = BinaryPropertyListWriter()
        let top = list.reserve()
        let numbers = objects.map { object -> Int in
            switch object {
            case .plain(let scalar): list.add(scalar)
            case .reserved: list.add(.text("$null"))
            case .classDescription(let names):
                list.dictionary([
                    (list.add(.text("$classname")), list.add(.text(names[0]))),
                    (list.add(.text("$classes")), list.array(names.map { list.add(.text($0)) })),
                ])
            case .instance(let classNumber, let members):
                list.dictionary(
                    [(list.add(.text("$class")), list.add(.reference(classNumber)))]
                        + members.map { key, member in (list.add(.text(key)), Self.element(member, &list)) })
            }
        }
        list.fillDictionary(
            top,
            [
                (list.add(.text("$version")), list.add(.integer(100_000))),
                (list.add(.text("$archiver")), list.add(.text("NSKeyedArchiver"))),
                (list.add(.text("$top")), list.dictionary([(list.add(.text("root")), list.add(.reference(root)))])),
                (list.add(.text("$objects")), list.array(numbers)),
            ])
        return list.data(top: top)
    }

    private static func element(_ member: Member, _ list: inout BinaryPropertyListWriter) -> Int {
        switch member {
        case .bool(let value): list.add(.bool(value))
        case .integer(let value): list.add(.integer(Int64(value)))
        case .real(let value): list.add(.real(value))
        case .data(let value): list.add(.data(value))
        case .text(let value): list.add(.text(value))
        case .object(let number): list.add(.reference(number))
        case .objects(let numbers): list.array(numbers.map { list.add(.reference($0)) })
        }
    }
}
