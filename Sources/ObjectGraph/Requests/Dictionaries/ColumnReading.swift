import DataModel
import Foundation
import Predicates
import Storage

/// Reads the columns of a request.
struct ColumnReading {
    /// Stores don't join more rows than this.
    private static let greatestKeyCount = 64

    private let entity: EntityLayout
    private let model: ModelLayout

    init(_ entity: EntityLayout, _ model: ModelLayout) {
        self.entity = entity
        self.model = model
    }

    /// A column for each stored attribute.
    var allAttributes: [DictionaryColumn] {
        entity.description.attributesByName.values.filter { !$0.isTransient && $0.type != .undefined }
            .sorted { $0.name < $1.name }
            .map { DictionaryColumn(name: $0.name, node: .keyPath($0.name), type: $0.type) }
    }

    /// - Parameter given: A name, a key path, or a description.
    /// - Throws: 134060 for anything that is not a column.
    func column(_ given: Any) throws -> DictionaryColumn {
        switch given {
        case let path as String: return try column(path: path)
        case let description as NSExpressionDescription: return try computed(description)
        case let property as NSPropertyDescription: return try column(path: property.name)
        default: throw failure("“\(given)” is neither a name nor a description of a property")
        }
    }

    private func computed(_ description: NSExpressionDescription) throws -> DictionaryColumn {
        guard !description.name.isEmpty else { throw failure("an NSExpressionDescription has no name") }
        guard let expression = description.expression else {
            throw failure("the NSExpressionDescription “\(description.name)” has no expression")
        }
        let node = expression.node.withRowFunctions
        try checkRowFunctions(node, isInside: false, of: "the column “\(description.name)”")
        for function in [PredicateFunction.median, .mode, .standardDeviation] {
            _ = try node.replacing { part in
                if case .function(function, _) = part {
                    throw failure("“\(function.rawValue)” is not a function that stores have")
                }
                return nil
            }
        }
        return DictionaryColumn(name: description.name, node: node, type: description.resultType)
    }

    /// The rows of a group are aggregated once. The result has no rows of its own.
    func checkRowFunctions(_ node: ExpressionNode, isInside: Bool, of subject: String) throws {
        _ = try node.replacing { part in
            guard isRowFunction(part), case .function(let function, let arguments) = part else { return nil }
            guard !isInside else {
                throw failure("in \(subject), “\(function.rawValue)” of all rows is an argument of another function of all rows")
            }
            for argument in arguments { try checkRowFunctions(argument, isInside: true, of: subject) }
            return part
        }
    }

    /// Whether a node is a function of many rows, and not of the members of one row's relationship.
    func isRowFunction(_ node: ExpressionNode) -> Bool {
        guard case .function(let function, let arguments) = node, function.isAggregate, arguments.count == 1 else { return false }
        if case .keyPath(.evaluatedObject, let keys) = arguments[0] { return !isToMany(keys) }
        return !arguments[0].isCollection
    }

    private func column(path: String) throws -> DictionaryColumn {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.count <= Self.greatestKeyCount else {
            throw failure("“\(path.prefix(100))…” has more than \(Self.greatestKeyCount) keys")
        }
        var current = entity
        for (index, key) in keys.enumerated() {
            let isLast = index == keys.count - 1
            if key == "objectID", isLast { return DictionaryColumn(name: path, node: .keyPath(path), type: .objectID) }
            if let relationship = current.relationship(named: key) {
                guard !relationship.isToMany else {
                    throw failure("Invalid to-many relationship in propertiesToFetch: “\(path)”")
                }
                if isLast { return DictionaryColumn(name: path, node: .keyPath(path), type: .objectID) }
                current = model.entities[relationship.destination]
                continue
            }
            // The name of a composite's element is its whole path.
            let rest = keys[index...].joined(separator: ".")
            guard let slot = current.slotByName[rest], let attribute = current.slots[slot].attribute else {
                if isLast, current.composites[key] != nil {
                    return DictionaryColumn(name: path, node: .keyPath(path), type: .composite)
                }
                let names = current.names(Array(current.slotByName.keys) + current.composites.keys, insteadOf: rest)
                throw failure("“\(current.name)” has no property “\(rest)” (in “\(path)”). \(names)")
            }
            guard current.slots[slot].isPersistent else { throw failure("“\(path)” is transient, so stores don't have it") }
            return DictionaryColumn(name: path, node: .keyPath(path), type: attribute.type)
        }
        throw failure("a column has no name")
    }

    /// Whether keys lead to the members of a to-many relationship, and not to one value of them such as `skills.@count`.
    private func isToMany(_ keys: [String]) -> Bool {
        if keys.contains(where: { CollectionOperator(rawValue: $0)?.isOfValues == true }) { return false }
        var current = entity
        for key in keys {
            guard let relationship = current.relationship(named: key) else { return false }
            if relationship.isToMany { return true }
            current = model.entities[relationship.destination]
        }
        return false
    }

    private func failure(_ reason: String) -> NSError {
        .coreData(NSCoreDataError, "A fetch of dictionaries of “\(entity.name)” can't be done: \(reason)")
    }
}
