#if !canImport(Darwin)
    import Foundation

    extension NSExpression {
        /// The expression's kind.
        public final var expressionType: ExpressionType {
            switch node {
            case .constant, .symbol, .tooDeep: .constantValue
            case .evaluatedObject: .evaluatedObject
            case .variable: .variable
            case .keyPath: .keyPath
            case .function, .call, .fetch: .function
            case .aggregate: .aggregate
            case .subquery: .subquery
            case .conditional: .conditional
            case .setOperation(.union, _, _): .unionSet
            case .setOperation(.intersect, _, _): .intersectSet
            case .setOperation(.minus, _, _): .minusSet
            case .anyKey: .anyKey
            case .block: .block
            }
        }

        /// The value of a constant. Numbers come as `NSNumber`.
        public final var constantValue: Any? {
            switch node {
            case .constant(let value): value.any
            case .symbol(let symbol): symbol.rawValue
            case .tooDeep: nil
            default: misfit("constantValue")
            }
        }

        /// The keys of a key path, with dots between them. What they are seen from is ``operand``.
        public final var keyPath: String {
            guard case .keyPath(_, let keys) = node else { misfit("keyPath") }
            return keys.joined(separator: ".")
        }

        /// The name of a function, with its colons.
        public final var function: String {
            switch node {
            case .function(let function, _): function.rawValue
            case .call(_, let selector, _): selector
            case .keyPath: "valueForKeyPath:"
            default: misfit("function")
            }
        }

        /// The name of a variable or of a subquery's elements, without the dollar sign.
        public final var variable: String {
            switch node {
            case .variable(let name), .subquery(_, let name, _): name
            default: misfit("variable")
            }
        }

        /// The object of a function of one's own, or what a key path is seen from.
        public final var operand: NSExpression {
            switch node {
            case .call(let target, _, _): NSExpression(target)
            case .keyPath(let operand, _): NSExpression(operand)
            default: misfit("operand")
            }
        }

        /// The arguments of a function or closure.
        public final var arguments: [NSExpression]? {
            switch node {
            case .function(_, let arguments), .call(_, _, let arguments): arguments.map { NSExpression($0) }
            case .block(let block): block.arguments.map { NSExpression($0) }
            case .keyPath(_, let keys): [NSExpression(forConstantValue: keys.joined(separator: "."))]
            default: misfit("arguments")
            }
        }

        /// The expressions of an aggregate (an array of `NSExpression`), or a subquery's collection (an `NSExpression`).
        public final var collection: Any {
            switch node {
            case .aggregate(let elements): elements.map { NSExpression($0) }
            case .subquery(let collection, _, _): NSExpression(collection)
            default: misfit("collection")
            }
        }

        /// The predicate of a subquery or conditional.
        public final var predicate: NSPredicate {
            switch node {
            case .subquery(_, _, let predicate), .conditional(let predicate, _, _): predicate.predicate
            default: misfit("predicate")
            }
        }

        /// The first collection of a set expression.
        public final var left: NSExpression {
            guard case .setOperation(_, let left, _) = node else { misfit("left") }
            return NSExpression(left)
        }

        /// The second collection of a set expression.
        public final var right: NSExpression {
            guard case .setOperation(_, _, let right) = node else { misfit("right") }
            return NSExpression(right)
        }

        /// A conditional's expression for when its predicate is true.
        public final var `true`: NSExpression {
            guard case .conditional(_, let expression, _) = node else { misfit("true") }
            return NSExpression(expression)
        }

        /// A conditional's expression for when its predicate is false.
        public final var `false`: NSExpression {
            guard case .conditional(_, _, let expression) = node else { misfit("false") }
            return NSExpression(expression)
        }

        /// The closure of a block expression.
        public final var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
            guard case .block(let block) = node else { misfit("expressionBlock") }
            return block.block
        }

        private func misfit(_ accessor: String) -> Never {
            fatalError("The expression \(self) is of type \(expressionType) and has no \(accessor)")
        }
    }
#endif
