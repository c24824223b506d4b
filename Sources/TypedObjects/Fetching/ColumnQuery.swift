import DataModel
import Foundation
import ObjectGraph
import Predicates

/// Asks a store for values that it computes from the rows of a class. It does so only if the result is what the context sees.
///
/// If the store can't compute something, the result is nil. The caller then uses the objects.
struct ColumnQuery<Object: TypedObject> {
    let context: NSManagedObjectContext
    let request = NSFetchRequest<NSDictionary>()
    private var columns: [Any] = []
    private var followsRelationships = false

    init?(
        _ context: NSManagedObjectContext, _ type: Object.Type, _ condition: ObjectCondition<Object>
    ) throws {
        let entities = context.topEntities(of: type)
        guard entities.count == 1 else { return nil }
        self.context = context
        request.entity = entities[0]
        request.resultType = .dictionaryResultType
        switch condition {
        case .all: break
        case .keys(let keys): request.predicate = keys.predicate
        case .predicate(let predicate):
            guard let stored = try context.storedForm(of: predicate) else { return nil }
            request.predicate = stored
        }
    }

    /// Adds a column with the values of a property.
    mutating func addColumn<Value>(_ keyPath: KeyPath<Object, Value>) -> ColumnReader<Value>? {
        guard let name = column(keyPath) else { return nil }
        columns.append(name)
        return ColumnReader(in: context)
    }

    /// Groups the rows by the values of a property, and adds a column with these values.
    ///
    /// - Parameter name: The property's name in the model, or names with dots between them.
    mutating func addGroup<Value>(named name: String, _ type: Value.Type) -> ColumnReader<Value>? {
        guard column(named: name) else { return nil }
        request.propertiesToGroupBy = [name]
        columns.append(name)
        return ColumnReader(in: context)
    }

    /// Adds a column with a function of the values of a property.
    mutating func addFunction<Value, Result>(
        _ function: String, of keyPath: KeyPath<Object, Value>, _ result: Result.Type
    ) -> ColumnReader<Result?>? {
        guard Value.self is any StoreValue.Type, let name = column(keyPath) else { return nil }
        return addFunction(function, over: _NSExpression(forKeyPath: name))
    }

    mutating func addCount() -> ColumnReader<Int?>? {
        addFunction("count:", over: _NSExpression.expressionForEvaluatedObject())
    }

    private mutating func addFunction<Result>(
        _ function: String, over argument: _NSExpression
    ) -> ColumnReader<Result?>? {
        let description = NSExpressionDescription()
        description.name = "result"
        description.expression = _NSExpression(forFunction: function, arguments: [argument])
        columns.append(description)
        return ColumnReader(in: context)
    }

    /// The rows, with a value for each column in the order in which the columns were added.
    func rows() throws -> [[Any?]]? {
        request.propertiesToFetch = columns
        return try context.storeColumns(request, followsRelationships: followsRelationships)
    }

    /// The name of a property, if the store holds its value as it is or as a raw value.
    private mutating func column<Value>(_ keyPath: KeyPath<Object, Value>) -> String? {
        guard let name = KeyPathNames.storedPath(of: keyPath), column(named: name) else { return nil }
        return name
    }

    private mutating func column(named name: String) -> Bool {
        var properties = TypedTable.of(Object.self)?.properties
        var descriptions = request.entity?.propertiesByName ?? [:]
        var steps = name.split(separator: ".").map(String.init)[...]
        while let step = steps.popFirst() {
            guard let property = properties?.first(where: { $0.storedName == step }), let description = descriptions[step],
                !description.isTransient
            else { return false }
            switch (property.kind, description) {
            case (.attribute(let attribute), let description as NSAttributeDescription):
                guard let elements = attribute.elements else { return attribute.isStoredAsItIs }
                properties = elements
                let composite = (description as? NSCompositeAttributeDescription)?.elements ?? []
                descriptions = Dictionary(composite.map { ($0.name, $0) }) { first, _ in first }
            case (.relationship(let relationship), let description as NSRelationshipDescription):
                guard !relationship.isToMany else { return false }
                if steps.isEmpty { return true }
                followsRelationships = true
                properties = relationship.destination.flatMap(TypedTable.of)?.properties
                descriptions = description.destinationEntity?.propertiesByName ?? [:]
            default: return false
            }
        }
        return false
    }
}

extension TypedAttribute {
    /// Whether the stored value is the property's value, or its raw value.
    fileprivate var isStoredAsItIs: Bool {
        options.allSatisfy { option in
            switch option.kind {
            case .codable, .transformable, .transient: false
            default: true
            }
        }
    }
}
