import DataModel
import Foundation
import FoundationGaps
import GraphTestSupport
import ObjectGraph
import Predicates
import Storage
import TestSupport

/// Makes predicates and sort orders for the entities of a model, and objects for which some of them are true.
struct RandomQueries {
    var random: SeededGenerator
    let layout: ModelLayout
    /// Saved objects by the index of their root entity.
    var objects: [Int: [NSManagedObject]] = [:]

    init(_ model: NSManagedObjectModel, random: SeededGenerator) {
        self.random = random
        layout = ModelLayout(model)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

    // MARK: Values

    /// Few different values of each type, so that comparisons are often true.
    mutating func value(_ type: NSAttributeType) -> PredicateValue {
        switch type {
        case .integer16AttributeType, .integer32AttributeType: .integer(Int64(number(-3...9)))
        case .integer64AttributeType: .integer(chance(80) ? Int64(number(-3...9)) : pick([1 << 53, 1 << 53 + 1, .max]))
        case .booleanAttributeType: .integer(Int64(number(0...1)))
        case .doubleAttributeType, .floatAttributeType: .double(Double(number(-8...16)) / 4)
        case .decimalAttributeType: .decimal(Decimal(string: pick(["0", "0.1", "0.3", "10.11", "-2", "3", "1.5"])) ?? 0)
        case .stringAttributeType:
            .string(
                pick([
                    "", "a", "A", "b", "ab", "aB", "\u{e9}", "e\u{301}", "É", "ß", "ss", "SS", "a*b", "a?", "a10", "a2", "日本",
                    "😀", "I",
                    "ı", "x\ny", "a.b", "%_",
                ]))
        case .dateAttributeType: .date(Date(timeIntervalSinceReferenceDate: pick([0, 1, 2, 1.5, -100, 700_000_000.125])))
        case .binaryDataAttributeType: .data(pick([Data(), Data([1]), Data([1, 2]), Data([0x62, 0x70])]))
        case .UUIDAttributeType:
            .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number(0...3)))))
        case .URIAttributeType:
            URL(string: pick(["https://a.example/", "https://b.example/x?y=1", "file:///z"])).map { .url($0) } ?? .null
        default: .null
        }
    }

    // MARK: Objects

    /// Makes objects with random values and relationships.
    mutating func fill(_ context: NSManagedObjectContext, _ counts: [(entity: String, count: Int)]) {
        var made: [NSManagedObject] = []
        for (name, count) in counts {
            for _ in 0..<count {
                let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                for attribute in object.entity.attributesByName.values.sorted(by: { $0.name < $1.name }) where isUsed(attribute) {
                    if attribute.isOptional, chance(25) { continue }
                    object.setValue(value(attribute.attributeType).any, forKey: attribute.name)
                }
                made.append(object)
            }
        }
        for object in made { relate(object, made) }
    }

    mutating func relate(_ object: NSManagedObject, _ others: [NSManagedObject]) {
        for relationship in object.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
            guard let destination = relationship.destinationEntity, chance(60) else { continue }
            let candidates = others.filter { $0.entity.isKindOf(entity: destination) }
            guard !candidates.isEmpty else { continue }
            if relationship.isToMany {
                let members = (0..<number(0...4)).map { _ in pick(candidates) }
                object.setValue(
                    relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: relationship.name)
            } else {
                object.setValue(pick(candidates), forKey: relationship.name)
            }
        }
    }

    private func isUsed(_ attribute: NSAttributeDescription) -> Bool {
        !attribute.isTransient && !(attribute is NSDerivedAttributeDescription)
            && RandomQueries.kind(attribute.attributeType) != nil
    }

    // MARK: Predicates

    /// What can be compared with each other.
    enum Kind {
        case number
        case text
        case date
        case data
        case uuid
        case url
    }

    static func kind(_ type: NSAttributeType) -> Kind? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
            .doubleAttributeType,
            .floatAttributeType, .decimalAttributeType:
            .number
        case .stringAttributeType: .text
        case .dateAttributeType: .date
        case .binaryDataAttributeType: .data
        case .UUIDAttributeType: .uuid
        case .URIAttributeType: .url
        default: nil
        }
    }

    /// An object that expressions start from: SELF or the element of a subquery.
    struct Base {
        var node: ExpressionNode
        var keys: [String] = []
        var entity: EntityLayout
        var depth = 0

        func appending(_ key: String) -> ExpressionNode { .keyPath(keys + [key], of: node) }
        var whole: ExpressionNode { keys.isEmpty ? node : .keyPath(keys, of: node) }
    }

    mutating func predicate(_ entity: EntityLayout, _ depth: Int = 3) -> PredicateNode {
        predicate(Base(node: .evaluatedObject, entity: entity), depth)
    }

    mutating func predicate(_ base: Base, _ depth: Int) -> PredicateNode {
        if depth > 0, chance(45) {
            switch number(0...2) {
            case 0: return .not(predicate(base, depth - 1))
            case 1: return .and((0..<number(2...3)).map { _ in predicate(base, depth - 1) })
            default: return .or((0..<number(2...3)).map { _ in predicate(base, depth - 1) })
            }
        }
        return comparison(base, depth)
    }

    private mutating func comparison(_ base: Base, _ depth: Int) -> PredicateNode {
        switch number(0...11) {
        case 0...2: return compare(pick([.number, .number, .text, .date]), base, depth)
        case 3: return compare(pick([.uuid, .url, .data]), base, depth)
        case 4: return text(base, depth)
        case 5: return nilTest(base)
        case 6: return list(base, depth)
        case 7: return object(base)
        case 8: return quantified(base, depth)
        case 9, 10: return aggregate(base, depth)
        default: return subquery(base, depth)
        }
    }

    private mutating func node(
        _ left: ExpressionNode, _ comparisonOperator: NSComparisonPredicate.Operator, _ right: ExpressionNode,
        _ modifier: NSComparisonPredicate.Modifier = .direct, _ options: NSComparisonPredicate.Options = []
    ) -> PredicateNode {
        .comparison(ComparisonNode(left, comparisonOperator, right, modifier: modifier, options: options))
    }

    private mutating func order(_ kind: Kind) -> NSComparisonPredicate.Operator {
        pick([.equalTo, .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo])
    }

    private mutating func options() -> NSComparisonPredicate.Options {
        chance(60)
            ? [] : pick([.caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized])
    }

    private mutating func compare(_ kind: Kind, _ base: Base, _ depth: Int) -> PredicateNode {
        let left = expression(kind, base, 2)
        if kind != .text, chance(15) {
            return node(left, .between, .aggregate([expression(kind, base, 0), constant(kind)]))
        }
        return node(left, order(kind), expression(kind, base, chance(70) ? 0 : 1), .direct, kind == .text ? options() : [])
    }

    private mutating func text(_ base: Base, _ depth: Int) -> PredicateNode {
        let comparisonOperator = pick([NSComparisonPredicate.Operator.contains, .beginsWith, .endsWith, .like, .matches, .in])
        let pattern: ExpressionNode
        switch comparisonOperator {
        case .like: pattern = .constant(.string(pick(["a*", "*b", "*", "?", "a\\*b", "*é*", "A?", "", "*a*b*", "**", "ß"])))
        case .matches: pattern = .constant(.string(pick(["a.*", "[ab]+", "", "\\w*", "É|a", ".\n?."])))
        default: pattern = expression(.text, base, chance(75) ? 0 : 1)
        }
        return node(expression(.text, base, 1), comparisonOperator, pattern, .direct, options())
    }

    private mutating func nilTest(_ base: Base) -> PredicateNode {
        let place = hop(base, number(0...2))
        let names = place.entity.slots.filter { $0.isPersistent && $0.kind != .entityIndex }.map(\.name)
        guard !names.isEmpty else { return .constant(false) }
        return node(place.appending(pick(names)), chance(50) ? .equalTo : .notEqualTo, .constant(.null))
    }

    private mutating func list(_ base: Base, _ depth: Int) -> PredicateNode {
        let kind = pick([Kind.number, .text, .date, .uuid])
        var elements = (0..<number(0...5)).map { _ in constant(kind) }
        if chance(25) { elements.append(.constant(.null)) }
        if chance(15) { elements.append(expression(kind, base, 0)) }
        return node(expression(kind, base, 1), .in, .aggregate(elements), .direct, kind == .text ? options() : [])
    }

    private mutating func object(_ base: Base) -> PredicateNode {
        let left = hop(base, number(0...2))
        let right: ExpressionNode
        switch number(0...5) {
        case 0: right = .constant(.null)
        case 1: right = hop(base, number(0...2)).whole
        default: right = anyObject(left.entity)
        }
        if chance(20) { return node(left.whole, .in, .aggregate((0..<number(0...3)).map { _ in anyObject(left.entity) })) }
        if let many = toMany(base) {
            if chance(15) { return node(anyObject(many.entity), .in, many.path) }
            if chance(10) { return node(many.path, .contains, hop(base, number(0...1)).whole) }
        }
        return node(left.whole, chance(50) ? .equalTo : .notEqualTo, right)
    }

    private mutating func anyObject(_ entity: EntityLayout) -> ExpressionNode {
        let root = chance(90) ? entity.root : pick(objects.keys.sorted())
        guard let object = objects[root].map({ pick($0) }) else { return .constant(.null) }
        return .constant(.object(chance(50) ? object : object.objectID))
    }

    private mutating func quantified(_ base: Base, _ depth: Int) -> PredicateNode {
        guard let many = toMany(base) else { return .constant(true) }
        var element = Base(node: base.node, keys: many.keys, entity: many.entity)
        if chance(30) { element = hop(element, 1) }
        if chance(20), let further = toMany(element) {
            element = Base(node: base.node, keys: further.keys, entity: further.entity)
        }
        let modifier: NSComparisonPredicate.Modifier = chance(60) ? .any : .all
        let kind = pick([Kind.number, .text, .date])
        guard chance(85), let path = attribute(kind, element, hops: 0) else {
            return node(element.whole, .equalTo, chance(20) ? .constant(.null) : anyObject(element.entity), modifier)
        }
        let right = chance(20) ? .constant(.null) : expression(kind, base, 0)
        let result = node(path, order(kind), right, modifier, kind == .text ? options() : [])
        return chance(25) ? .not(result) : result
    }

    private mutating func aggregate(_ base: Base, _ depth: Int) -> PredicateNode {
        node(count(base), order(.number), chance(80) ? .constant(.integer(Int64(number(0...4)))) : expression(.number, base, 0))
    }

    /// A number that is made of members.
    private mutating func count(_ base: Base) -> ExpressionNode {
        guard let many = toMany(base) else { return .constant(.integer(1)) }
        let members = Base(node: base.node, keys: many.keys, entity: many.entity)
        if chance(50) { return members.appending("@count") }
        guard let path = attribute(.number, Base(node: .evaluatedObject, entity: many.entity), hops: number(0...1)),
            case .keyPath(_, let keys) = path
        else { return members.appending("@count") }
        let name = pick(["@sum", "@avg", "@min", "@max"])
        return .keyPath(many.keys + [name] + keys, of: base.node)
    }

    private mutating func subquery(_ base: Base, _ depth: Int) -> PredicateNode {
        guard base.depth < 2, let many = toMany(base) else { return comparison(base, 0) }
        let variable = "v\(base.depth)"
        var element = Base(node: .variable(variable), entity: many.entity)
        element.depth = base.depth + 1
        let inner = predicate(chance(85) ? element : base, max(0, depth - 2))
        let whole = ExpressionNode.subquery(many.path, variable: variable, inner)
        if chance(15) { return node(anyObject(many.entity), .in, whole) }
        return node(.keyPath(["@count"], of: whole), order(.number), .constant(.integer(Int64(number(0...2)))))
    }

    // MARK: Expressions

    private mutating func constant(_ kind: Kind) -> ExpressionNode {
        let type: NSAttributeType =
            switch kind {
            case .number: pick([.integer32AttributeType, .integer64AttributeType, .doubleAttributeType, .decimalAttributeType])
            case .text: .stringAttributeType
            case .date: .dateAttributeType
            case .data: .binaryDataAttributeType
            case .uuid: .UUIDAttributeType
            case .url: .URIAttributeType
            }
        return .constant(value(type))
    }

    mutating func expression(_ kind: Kind, _ base: Base, _ depth: Int) -> ExpressionNode {
        guard depth > 0, chance(35) else {
            return chance(60) ? attribute(kind, base, hops: number(0...2)) ?? constant(kind) : constant(kind)
        }
        if chance(20) {
            let tested = expression(kind, base, 0)
            if chance(50) { return .conditional(node(tested, .notEqualTo, .constant(.null)), tested, constant(kind)) }
            return .conditional(
                predicate(base, 0), expression(kind, base, depth - 1), chance(20) ? .constant(.null) : constant(kind))
        }
        switch kind {
        case .number:
            if chance(20) { return .function(.length, [expression(.text, base, depth - 1)]) }
            if chance(15) {
                return .function(.subtract, [expression(.date, base, depth - 1), expression(.date, base, depth - 1)])
            }
            if chance(40) {
                let function = pick([
                    PredicateFunction.negate, .absolute, .floor, .ceiling, .truncate, .squareRoot, .onesComplement, .noIndex,
                ])
                return .function(function, [expression(.number, base, depth - 1)])
            }
            let function = pick([
                PredicateFunction.add, .subtract, .multiply, .divide, .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift,
                .rightShift,
            ])
            return .function(function, [expression(.number, base, depth - 1), expression(.number, base, depth - 1)])
        case .text: return .function(pick([.uppercase, .lowercase, .canonical]), [expression(.text, base, depth - 1)])
        case .date: return .function(pick([.add, .subtract]), [expression(.date, base, depth - 1), constant(.number)])
        default: return expression(kind, base, 0)
        }
    }

    /// Follows to-one relationships.
    private mutating func hop(_ base: Base, _ count: Int) -> Base {
        var result = base
        for _ in 0..<count {
            let next = result.entity.relationships.filter { $0.storage == .toOne }
            guard !next.isEmpty else { return result }
            let relationship = pick(next)
            result.keys.append(relationship.name)
            result.entity = layout.entities[relationship.destination]
        }
        return result
    }

    private mutating func attribute(_ kind: Kind, _ base: Base, hops: Int) -> ExpressionNode? {
        for count in [hops, 0] {
            let place = hop(base, count)
            let names = place.entity.slots.filter { $0.isPersistent && RandomQueries.kind($0.attributeType) == kind }.map(\.name)
            if !names.isEmpty { return place.appending(pick(names)) }
        }
        return nil
    }

    private mutating func toMany(_ base: Base) -> (path: ExpressionNode, keys: [String], entity: EntityLayout)? {
        for count in [number(0...1), 0, 1] {
            let place = hop(base, count)
            let many = place.entity.relationships.filter { $0.isToMany && $0.storage != .transient }
            guard !many.isEmpty else { continue }
            let relationship = pick(many)
            let keys = place.keys + [relationship.name]
            return (.keyPath(keys, of: base.node), keys, layout.entities[relationship.destination])
        }
        return nil
    }

    // MARK: Sorting

    mutating func sortDescriptors(_ entity: EntityLayout) -> [NSSortDescriptor] {
        (0..<number(1...3)).compactMap { _ in
            guard
                let path = attribute(
                    pick([.number, .text, .text, .date, .uuid]), Base(node: .evaluatedObject, entity: entity), hops: number(0...2)
                ),
                case .keyPath(_, let keys) = path
            else { return nil }
            let selector: Selector = pick([
                "compare:", "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
                "localizedStandardCompare:",
            ])
            return NSSortDescriptor(key: keys.joined(separator: "."), ascending: chance(50), selector: selector)
        }
    }
}
