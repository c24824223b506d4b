import Foundation

/// Reads one keyed archive without trusting it.
///
/// Foundation's unarchiver stops the program when it meets a class that is not allowed, a collection that contains
/// itself, or members of the wrong type. This one makes the plain classes itself. For other classes, which the
/// caller must allow, it is the coder of their `init(coder:)`. After the first failure it answers only nil and
/// zero.
final class ArchiveDecoder: NSCoder {
    let list: BinaryPropertyList
    /// The places of the archive's objects, by number.
    private let objects: BinaryPropertyList.Elements
    private let top: [String: Int]
    /// Collections and objects by number. An archive has each only once, even if several others refer to it.
    private var made: [Int: (object: Any, size: Int)] = [:]
    private var unfinished: Set<Int> = []
    /// The members of the object whose `init(coder:)` runs.
    private var members: [[String: Int]] = []
    private var classes: [[AnyClass]] = []
    /// The number of objects inside the one that is being made. Objects with several owners count several times.
    private(set) var size = 0
    private let greatestSize: Int
    /// The remaining budget for comparing objects with equal hashes.
    private var collisions = 4_000_000
    private(set) var failure: (any Error)?

    init(_ data: Data) throws {
        guard let list = BinaryPropertyList(data), let archive = list.dictionary(list.top),
            let archiver = archive["$archiver"], case .text("NSKeyedArchiver")? = list.element(archiver),
            let version = archive["$version"], case .integer(100_000)? = list.element(version),
            let objects = archive["$objects"], case .array(let objects)? = list.element(objects),
            let top = archive["$top"].flatMap(list.dictionary)
        else { throw KeyedArchive.Failure(reason: "it is not a keyed archive") }
        (self.list, self.objects, self.top) = (list, objects, top)
        greatestSize = max(1_000_000, 8 * objects.count)
        super.init()
    }

    func root(_ classes: [AnyClass]) throws -> Any {
        members = [top]
        let object = decodeObject(of: classes, forKey: NSKeyedArchiveRootObjectKey)
        if let failure { throw failure }
        guard let object else { throw damage("it has no object") }
        return object
    }

    func damage(_ reason: String) -> KeyedArchive.Failure {
        KeyedArchive.Failure(reason: "the archive is damaged: \(reason)")
    }

    // MARK: Objects

    /// The object with a number; nil for the number that stands for nil.
    func object(_ number: Int) throws -> Any? {
        if let failure { throw failure }
        guard number < objects.count, let index = list.index(objects, number), let element = list.element(index) else {
            throw damage("there is no object \(number)")
        }
        size += 1
        guard size <= greatestSize else { throw damage("it would become too large") }
        if case .dictionary = element { return try instance(number, index) }
        return try plainObject(element, number)
    }

    private func plainObject(_ element: BinaryPropertyList.Element, _ number: Int) throws -> Any? {
        switch element {
        case .text("$null"): nil
        case .text(let text): NSString(string: text)
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .date(let value): NSDate(timeIntervalSinceReferenceDate: value)
        case .data(let range): NSData(data: list.data(range))
        case .reference, .array, .dictionary: throw damage("object \(number) is not an object")
        }
    }

    /// A collection or an object of a class.
    private func instance(_ number: Int, _ index: Int) throws -> Any {
        if let known = made[number] {
            size += known.size
            guard size <= greatestSize else { throw damage("it would become too large") }
            return known.object
        }
        guard unfinished.insert(number).inserted else { throw damage("object \(number) contains itself") }
        guard unfinished.count <= KeyedArchive.greatestDepth else {
            throw damage("it is nested more than \(KeyedArchive.greatestDepth) levels deep")
        }
        let before = size
        let object = try make(number, index)
        unfinished.remove(number)
        made[number] = (object, size - before)
        return object
    }

    private func make(_ number: Int, _ index: Int) throws -> Any {
        guard let members = list.dictionary(index), let reference = members["$class"],
            case .reference(let classNumber)? = list.element(reference),
            classNumber < objects.count, let description = list.index(objects, classNumber).flatMap(list.dictionary)
        else { throw damage("object \(number) has no class") }
        var names = [description["$classname"].flatMap(text)].compactMap { $0 }
        if let hints = description["$classhints"], case .array(let elements)? = list.element(hints) {
            names += (0..<min(elements.count, 16)).compactMap { list.index(elements, $0).flatMap(text) }
        }
        for name in names {
            if let plain = PlainArchiveClass(name) { return try object(plain, members) }
            guard let type = allowedClass(name) else { continue }
            self.members.append(members)
            defer { self.members.removeLast() }
            let object = type.init(coder: self)
            if let failure { throw failure }
            guard let object else { throw damage("object \(number) could not be made by \(name)") }
            return object
        }
        throw KeyedArchive.Failure(reason: "the class \(names.first ?? "") is not allowed")
    }

    private func text(_ index: Int) -> String? {
        if case .text(let text)? = list.element(index) { text } else { nil }
    }

    /// The class with a name that an archive gave, if it is one of the allowed classes or inherits from one.
    private func allowedClass(_ name: String) -> (any NSSecureCoding.Type)? {
        let allowed = classes.last ?? []
        var found: AnyClass? =
            NSKeyedUnarchiver.class(forClassName: name) ?? allowed.first { KeyedArchive.name(of: $0) == name }
        // An archive may not give names that the runtime would have to demangle.
        if found == nil, !allowed.isEmpty, name.utf8.count < 256,
            name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(KeyedArchive.isPlain)
        {
            found = NSClassFromString(name)
        }
        guard let found, allowed.contains(where: { KeyedArchive.isKind(found, of: $0) }),
            let type = found as? any NSSecureCoding.Type,
            type.supportsSecureCoding
        else { return nil }
        return type
    }

    /// Pays for adding an object to others with the same hash, or fails. Comparing each two of very many would take
    /// too long.
    func payForCollision(with count: Int, size: Int) throws {
        let (cost, isTooMuch) = count.multipliedReportingOverflow(by: size + 1)
        guard !isTooMuch, cost <= collisions else { throw damage("too many members of a set have the same hash") }
        collisions -= cost
    }

    // MARK: NSCoder

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }
    override var allowedClasses: [AnyClass]? { classes.last }
    override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy {
        get { .setErrorAndReturn }
        set { _ = newValue }
    }
    override var error: (any Error)? { failure }

    override func failWithError(_ error: any Error) {
        if failure == nil { failure = error }
    }

    /// A member of the object that is being made.
    private func member(_ key: String) -> BinaryPropertyList.Element? {
        guard failure == nil else { return nil }
        return members.last?[key.hasPrefix("$") ? "$" + key : key].flatMap(list.element)
    }

    override func containsValue(forKey key: String) -> Bool { member(key) != nil }

    override func decodeObject(forKey key: String) -> Any? {
        guard let member = member(key) else { return nil }
        do {
            guard case .reference(let number) = member else { throw damage("the value of “\(key)” is not an object") }
            return try object(number)
        } catch {
            failWithError(error)
            return nil
        }
    }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        guard let classes else { return decodeObject(forKey: key) }
        self.classes.append(classes)
        defer { self.classes.removeLast() }
        guard let object = decodeObject(forKey: key) else { return nil }
        if KeyedArchive.isInstance(object, of: classes) { return object }
        failWithError(KeyedArchive.Failure(reason: "the class \(type(of: object)) is not allowed for “\(key)”"))
        return nil
    }

    override func decodeObject<Decoded: NSObject & NSCoding>(of type: Decoded.Type, forKey key: String) -> Decoded? {
        decodeObject(of: [type], forKey: key) as? Decoded
    }

    override func decodePropertyList(forKey key: String) -> Any? {
        decodeObject(
            of: [NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self], forKey: key)
    }

    private func number(_ key: String) -> NSNumber {
        switch member(key) {
        case .bool(let value)?: NSNumber(value: value)
        case .integer(let value)?: NSNumber(value: value)
        case .unsigned(let value)?: NSNumber(value: value)
        case .real(let value)?: NSNumber(value: value)
        default: NSNumber(value: 0)
        }
    }

    /// Numbers out of range become zero.
    private func integer<Number: FixedWidthInteger>(_ key: String) -> Number {
        switch member(key) {
        case .bool(let value)?: value ? 1 : 0
        case .integer(let value)?: Number(exactly: value) ?? 0
        case .unsigned(let value)?: Number(exactly: value) ?? 0
        case .real(let value)?: Number(exactly: value.rounded(.towardZero)) ?? 0
        default: 0
        }
    }

    override func decodeBool(forKey key: String) -> Bool { number(key).boolValue }
    override func decodeInteger(forKey key: String) -> Int { integer(key) }
    override func decodeCInt(forKey key: String) -> Int32 { integer(key) }
    override func decodeInt32(forKey key: String) -> Int32 { integer(key) }
    override func decodeInt64(forKey key: String) -> Int64 { integer(key) }
    override func decodeFloat(forKey key: String) -> Float { number(key).floatValue }
    override func decodeDouble(forKey key: String) -> Double { number(key).doubleValue }

    override func withDecodedUnsafeBytes<Result>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        guard case .data(let range)? = member(key) else { return try body(nil) }
        return try list.data(range).withUnsafeBytes { try body($0) }
    }

    override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        try withDecodedUnsafeBytes(forKey: key) { try body($0?.bindMemory(to: UInt8.self)) }
    }

    // Values without keys. No class uses them in keyed archives.

    override func decodeObject() -> Any? {
        failWithError(damage("a value without a key was requested"))
        return nil
    }

    override func decodeData() -> Data? {
        failWithError(damage("a value without a key was requested"))
        return nil
    }

    override func decodePropertyList() -> Any? {
        failWithError(damage("a value without a key was requested"))
        return nil
    }

    override func decodeValue(ofObjCType type: UnsafePointer<Int8>, at data: UnsafeMutableRawPointer) {
        failWithError(damage("a value without a key was requested"))
    }
}
