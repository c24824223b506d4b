import DataModel
import Foundation
import Storage

/// What a model demands of one entity's values beyond their presence. It is compiled, so that checking a valid object
/// costs only as much as the rules that exist.
///
/// The rules tell which properties are not valid; `PropertyValidation` then tells why.
///
/// `@unchecked Sendable`: constants only; predicates and regular expressions are immutable, as the model's are once it is in use.
final class ValidationRules: @unchecked Sendable {
    struct IntegerRange {
        let slot: Int
        var minimum: Int64
        var maximum: Int64
    }

    /// A range of doubles, floats or dates.
    struct RealRange {
        let slot: Int
        let isFloat: Bool
        var minimum: Double
        var maximum: Double
    }

    struct LengthRange {
        let slot: Int
        var minimum: Int
        var maximum: Int
    }

    /// Predicates that are evaluated with the value as `Any`.
    struct Others {
        let slot: Int
        let predicates: [NSPredicate]
    }

    /// Limits for the number of objects in a to-many relationship.
    struct CountRange {
        let relationship: RelationshipLayout
        let minimum: Int
        let maximum: Int
        let isOptional: Bool

        func admits(_ count: Int) -> Bool { count == 0 ? isOptional || minimum == 0 : count >= minimum && count <= maximum }
    }

    /// A composite attribute: if any of its elements is there, the required ones must be. Without any element the
    /// attribute has no value.
    struct Composite {
        let path: String
        let isOptional: Bool
        let slots: [Int]
        let required: [Int]

        /// The elements that must have a value and have none; the first element if the whole composite is missing.
        func missing(_ values: Row.Slots) -> [Int] {
            if slots.contains(where: { !Row.isNil(values, $0) }) { return required.filter { Row.isNil(values, $0) } }
            return isOptional ? [] : Array(slots.prefix(1))
        }
    }

    // Unchecked exclusivity: these lists don't change after `init`.
    @exclusivity(unchecked) private(set) var integers: [IntegerRange] = []
    @exclusivity(unchecked) private(set) var reals: [RealRange] = []
    @exclusivity(unchecked) private(set) var lengths: [LengthRange] = []
    @exclusivity(unchecked) private(set) var patterns: [(slot: Int, expression: NSRegularExpression?)] = []
    @exclusivity(unchecked) private(set) var decimals: [Int] = []
    @exclusivity(unchecked) private(set) var uris: [Int] = []
    @exclusivity(unchecked) private(set) var others: [Others] = []
    @exclusivity(unchecked) private(set) var counts: [CountRange] = []
    @exclusivity(unchecked) private(set) var composites: [Composite] = []
    /// Whether any of the lists from `lengths` on has an entry.
    @exclusivity(unchecked) private(set) var hasRareRules = false

    init(_ layout: EntityLayout) {
        for (slot, property) in layout.slots.enumerated() {
            if let relationship = layout.relationship(slot: slot) {
                guard relationship.slot == slot else { continue }
                addCount(relationship)
                let predicates = relationship.description.validationPredicates
                if !predicates.isEmpty { others.append(Others(slot: slot, predicates: predicates)) }
            } else if let attribute = property.attribute {
                addAttribute(attribute, slot)
            }
        }
        addComposites(layout)
        hasRareRules =
            !(lengths.isEmpty && patterns.isEmpty && decimals.isEmpty && uris.isEmpty && others.isEmpty && counts.isEmpty
            && composites.isEmpty)
    }

    // MARK: Compiling

    private func addCount(_ relationship: RelationshipLayout) {
        guard relationship.isToMany else { return }
        let description = relationship.description
        // Zero and negative numbers mean that there is no limit, even if the relationship is required.
        let maximum = description.maxCount > 0 ? description.maxCount : Int.max
        let minimum = max(description.minCount, 0)
        guard minimum > 1 || maximum != .max || minimum == 1 && !relationship.isOptional else { return }
        counts.append(
            CountRange(relationship: relationship, minimum: minimum, maximum: maximum, isOptional: relationship.isOptional))
    }

    private func addAttribute(_ attribute: NSAttributeDescription, _ slot: Int) {
        var limits: [LimitPredicate.Limit] = []
        var rest: [NSPredicate] = []
        for predicate in attribute.validationPredicates {
            if let limit = (predicate as? LimitPredicate)?.limit, Self.isCompilable(limit, attribute.attributeType) {
                limits.append(limit)
            } else {
                rest.append(predicate)
            }
        }
        if !rest.isEmpty { others.append(Others(slot: slot, predicates: rest)) }
        let type = attribute.attributeType
        switch type {
        case .integer16AttributeType, .integer32AttributeType: addIntegers(slot, ValueDomain.integers(type), limits)
        case .integer64AttributeType: if !limits.isEmpty { addIntegers(slot, ValueDomain.integers(type), limits) }
        case .dateAttributeType, .doubleAttributeType, .floatAttributeType:
            addReals(slot, isFloat: type == .floatAttributeType, ValueDomain.reals(type), limits)
        case .decimalAttributeType: decimals.append(slot)
        case .stringAttributeType: addTexts(slot, limits)
        case .URIAttributeType: uris.append(slot)
        default: break
        }
    }

    /// Whether a limit is one for a type of attribute that has a list here.
    private static func isCompilable(_ limit: LimitPredicate.Limit, _ type: NSAttributeType) -> Bool {
        switch (limit, type) {
        case (.minimumNumber, .integer16AttributeType), (.maximumNumber, .integer16AttributeType),
            (.minimumNumber, .integer32AttributeType), (.maximumNumber, .integer32AttributeType),
            (.minimumNumber, .integer64AttributeType), (.maximumNumber, .integer64AttributeType),
            (.minimumNumber, .doubleAttributeType), (.maximumNumber, .doubleAttributeType),
            (.minimumNumber, .floatAttributeType), (.maximumNumber, .floatAttributeType),
            (.earliest, .dateAttributeType), (.latest, .dateAttributeType),
            (.minimumLength, .stringAttributeType), (.maximumLength, .stringAttributeType), (.pattern, .stringAttributeType):
            true
        default: false
        }
    }

    private func addIntegers(_ slot: Int, _ width: ClosedRange<Int64>, _ limits: [LimitPredicate.Limit]) {
        var range = IntegerRange(slot: slot, minimum: width.lowerBound, maximum: width.upperBound)
        for limit in limits {
            switch limit {
            case .minimumNumber(let number): range.minimum = max(range.minimum, Self.integer(number, .up))
            case .maximumNumber(let number): range.maximum = min(range.maximum, Self.integer(number, .down))
            default: break
            }
        }
        integers.append(range)
    }

    /// The next integer in a direction, kept within 64 bits.
    private static func integer(_ number: Decimal, _ rule: NSDecimalNumber.RoundingMode) -> Int64 {
        var (number, rounded) = (number, Decimal())
        NSDecimalRound(&rounded, &number, 0, rule)
        if rounded >= Decimal(Int64.max) { return .max }
        if rounded <= Decimal(Int64.min) { return .min }
        return Int64("\(rounded)") ?? (rounded < 0 ? .min : .max)
    }

    private func addReals(_ slot: Int, isFloat: Bool, _ all: ClosedRange<Double>, _ limits: [LimitPredicate.Limit]) {
        func fitting(_ number: Decimal) -> Double {
            let double = LimitPredicate.double(number)
            return isFloat ? Double(Float(double)) : double
        }
        var range = RealRange(slot: slot, isFloat: isFloat, minimum: all.lowerBound, maximum: all.upperBound)
        for limit in limits {
            switch limit {
            case .minimumNumber(let number): range.minimum = max(range.minimum, fitting(number))
            case .maximumNumber(let number): range.maximum = min(range.maximum, fitting(number))
            case .earliest(let seconds): range.minimum = max(range.minimum, seconds)
            case .latest(let seconds): range.maximum = min(range.maximum, seconds)
            default: break
            }
        }
        reals.append(range)
    }

    private func addTexts(_ slot: Int, _ limits: [LimitPredicate.Limit]) {
        var range = LengthRange(slot: slot, minimum: 0, maximum: .max)
        for limit in limits {
            switch limit {
            case .minimumLength(let length): range.minimum = max(range.minimum, length)
            case .maximumLength(let length): range.maximum = min(range.maximum, length)
            case .pattern(_, let expression): patterns.append((slot, expression))
            default: break
            }
        }
        if range.minimum > 0 || range.maximum < .max { lengths.append(range) }
    }

    private func addComposites(_ layout: EntityLayout) {
        for (name, composite) in layout.composites.sorted(by: { $0.key < $1.key }) {
            guard let description = layout.description.attributesByName[name] as? NSCompositeAttributeDescription else {
                continue
            }
            _ = add(composite, description, name)
        }
    }

    /// - Returns: The slots of a composite's elements, and those of them that must have a value if the composite has one.
    private func add(
        _ composite: CompositeLayout, _ description: NSCompositeAttributeDescription, _ path: String
    ) -> (all: [Int], required: [Int]) {
        var all: [Int] = []
        var required: [Int] = []
        for ((name, element), attribute) in zip(composite.elements, description.elements) {
            switch element {
            case .slot(let slot):
                all.append(slot)
                if !attribute.isOptional { required.append(slot) }
            case .composite(let nested):
                guard let nestedDescription = attribute as? NSCompositeAttributeDescription else { continue }
                let slots = add(nested, nestedDescription, "\(path).\(name)")
                all += slots.all
                if !attribute.isOptional { required += slots.required }
            }
        }
        if !required.isEmpty || !description.isOptional {
            composites.append(Composite(path: path, isOptional: composite.isOptional, slots: all, required: required))
        }
        return (all, required)
    }

    // MARK: Checking

    /// Adds the slots that are not valid to a mask.
    @inline(__always) func check(_ slots: Row.Slots, _ object: NSManagedObject, _ invalid: inout SlotMask) {
        for range in integers where !Row.isNil(slots, range.slot) {
            let value = Int64(bitPattern: slots[range.slot])
            if value < range.minimum || value > range.maximum { invalid.insert(range.slot) }
        }
        for range in reals where !Row.isNil(slots, range.slot) {
            let value = Double(bitPattern: slots[range.slot])
            // Comparisons with NaN are false, so it is found here, too.
            if !(value >= range.minimum && value <= range.maximum) || range.isFloat && ValueDomain.isBeyondFloat(value) {
                invalid.insert(range.slot)
            }
        }
        if hasRareRules { checkRareRules(slots, object, &invalid) }
    }

    private func checkRareRules(_ slots: Row.Slots, _ object: NSManagedObject, _ invalid: inout SlotMask) {
        for range in lengths where !Row.isNil(slots, range.slot) {
            let length = Row.string(slots, range.slot).utf16.count
            if length < range.minimum || length > range.maximum { invalid.insert(range.slot) }
        }
        for (slot, expression) in patterns where !Row.isNil(slots, slot) {
            if !LimitPredicate.matches(Row.string(slots, slot), expression) { invalid.insert(slot) }
        }
        for slot in decimals where !Row.isNil(slots, slot) && !Row.isDecimal(slots, slot) { invalid.insert(slot) }
        for slot in uris where !Row.isNil(slots, slot) && (object.isInserted || object.markedSlots.contains(slot)) {
            if ValueDomain.problem(slots, slot, of: object.layout) != nil { invalid.insert(slot) }
        }
        for rule in others {
            guard let value = object.valueForValidation(rule.slot) else { continue }
            if !rule.predicates.allSatisfy({ $0.evaluate(with: value) }) { invalid.insert(rule.slot) }
        }
        for range in counts {
            guard let count = object.countForValidation(range.relationship), !range.admits(count) else { continue }
            invalid.insert(range.relationship.slot)
        }
        for composite in composites { for slot in composite.missing(slots) { invalid.insert(slot) } }
    }
}
