#if !canImport(Darwin)
    import Foundation

    extension PredicateNode {
        /// The tree of any predicate, whoever made it.
        package init(_ predicate: NSPredicate) {
            switch predicate {
            case let comparison as NSComparisonPredicate: self = .comparison(comparison.node)
            case let compound as NSCompoundPredicate:
                let operands = compound.subpredicates.map(PredicateNode.init)
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

        /// The predicate object with this tree.
        package var predicate: NSPredicate {
            switch self {
            case .constant(let value): TruthPredicate(value: value)
            case .comparison(let comparison): NSComparisonPredicate(comparison)
            case .not(let operand): CompoundPredicate(type: .not, subpredicates: [operand.predicate])
            case .and(let operands): CompoundPredicate(type: .and, subpredicates: operands.map(\.predicate))
            case .or(let operands): CompoundPredicate(type: .or, subpredicates: operands.map(\.predicate))
            case .foreign(let predicate): predicate
            }
        }
    }
#endif
