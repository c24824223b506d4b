package import Foundation

extension PredicateNode {
    /// The tree of any predicate, also of one that this package did not make.
    package init(_ predicate: NSPredicate) { self.init(predicate, level: 0) }

    private init(_ predicate: NSPredicate, level: Int) {
        switch predicate {
        case let comparison as Comparison: self = .comparison(comparison.node)
        case let compound as NSCompoundPredicate:
            guard level < TreeDepth.greatest else {
                self = .tooDeep
                return
            }
            let given = level < TreeDepth.joining ? compound.subpredicates : Self.joined(compound)
            let operands = given.map { PredicateNode($0, level: level + 1) }
            switch compound.compoundPredicateType {
            case .not: self = operands.first.map(PredicateNode.not) ?? .foreign(predicate)
            case .and: self = .and(operands)
            case .or: self = .or(operands)
            }
        default:
            if predicate.isEqual(NSPredicate(value: true)) {
                self = .constant(true)
            } else if predicate.isEqual(NSPredicate(value: false)) {
                self = .constant(false)
            } else {
                self = .foreign(predicate)
            }
        }
    }

    /// The operands, with those of nested compounds of the same kind in their places, without recursion.
    private static func joined(_ compound: NSCompoundPredicate) -> [NSPredicate] {
        let type = compound.compoundPredicateType
        guard type != .not else { return compound.subpredicates }
        var result: [NSPredicate] = []
        var rest = Array(compound.subpredicates.reversed())
        while let next = rest.popLast() {
            if let inner = next as? NSCompoundPredicate, inner.compoundPredicateType == type {
                rest += inner.subpredicates.reversed()
            } else {
                result.append(next)
            }
        }
        return result
    }

    /// The predicate object with this tree.
    package var predicate: NSPredicate {
        switch self {
        case .constant(let value): TruthPredicate(value: value)
        case .comparison(let comparison): Comparison.make(comparison)
        case .not(let operand): CompoundPredicate(type: .not, subpredicates: [operand.predicate])
        case .and(let operands): CompoundPredicate(type: .and, subpredicates: operands.map(\.predicate))
        case .or(let operands): CompoundPredicate(type: .or, subpredicates: operands.map(\.predicate))
        case .foreign(let predicate): predicate
        }
    }
}
