import DataModel
import Foundation
import ObjectGraph
import Predicates
import Synchronization

/// `coredata query STORE QUERY`
package enum QueryCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "query", "Counts and aggregates, computed by the store.",
        [
            .argument("STORE", "the store's file"), .argument("QUERY", QueryText.form),
            .option("model", "MODEL", "a model, if the store carries none"),
            .flag("explain", "show the SQL and SQLite's plan, too"),
        ], example: "coredata query Cinema.sqlite 'Movie where minutes > 90 group by director.name select count, avg(rating)'")

    private struct Column {
        let title: String
        let type: NSAttributeDescription.AttributeType?
    }

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        let query = try QueryText(arguments.required("QUERY"))
        let opened = try OpenedStore(arguments.required("STORE"), modelPath: arguments.text("model"))
        let entity = try opened.entity(query.entity)
        let statements = Mutex<[String]>([])
        let number = opened.store.addStatementHandler { sql in statements.withLock { $0.append(sql) } }
        var (columns, rows) = try rows(query, entity, opened)
        if let number { opened.store.removeStatementHandler(number) }
        // The order of groups is the store's: one order for all.
        if !query.groupKeys.isEmpty { rows.sort { Self.text($0, columns).lexicographicallyPrecedes(Self.text($1, columns)) } }
        var plans: [(sql: String, plan: [String])] = []
        if arguments.has("explain") {
            for sql in statements.withLock({ $0 })
            where sql.uppercased().hasPrefix("SELECT") || sql.uppercased().hasPrefix("WITH") {
                plans.append((sql, try opened.store.plan(ofStatement: sql) ?? []))
            }
        }
        if arguments.has("json") {
            let values = rows.map { row in
                JSONValue.object(
                    Dictionary(
                        columns.map { ($0.title, StoredValue.json(row[$0.title], $0.type)) },
                        uniquingKeysWith: { first, _ in first }))
            }
            guard arguments.has("explain") else {
                output.write(.array(values))
                return .success
            }
            output.write(
                .object([
                    "rows": .array(values),
                    "statements": .array(
                        plans.map { .object(["sql": .string($0.sql), "plan": .array($0.plan.map(JSONValue.string))]) }),
                ]))
            return .success
        }
        var table = TextTable(columns.map { TextTable.Column($0.title, isNumeric: $0.type != nil && $0.type != .string) })
        for row in rows { table.add(Self.text(row, columns)) }
        output.write(table)
        for (sql, plan) in plans {
            output.line("")
            output.line(sql)
            for line in plan { output.line("  \(line)") }
        }
        return .success
    }

    private static func text(_ row: [String: Any], _ columns: [Column]) -> [String] {
        columns.map { StoredValue.text(row[$0.title], $0.type) }
    }

    private static func rows(
        _ query: QueryText, _ entity: NSEntityDescription, _ opened: OpenedStore
    ) throws -> (columns: [Column], rows: [[String: Any]]) {
        let predicate = try query.condition.map(StorePredicate.predicate)
        let name = entity.name ?? ""
        if query.groupKeys.isEmpty, query.columns.isEmpty || query.columns == ["count"] {
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.predicate = predicate
            let count = try opened.context.count(for: request)
            return ([Column(title: "count", type: .integer64)], [["count": count]])
        }
        let request = NSFetchRequest<NSDictionary>(entityName: name)
        request.predicate = predicate
        request.resultType = .dictionaryResultType
        var columns: [Column] = []
        var properties: [Any] = []
        for key in query.groupKeys {
            let property = try ModelNames.property(key, of: entity)
            guard let attribute = property as? NSAttributeDescription, !attribute.isTransient else {
                throw ToolError("objects can't be grouped by “\(key)”, which is not a stored attribute")
            }
            columns.append(Column(title: key, type: attribute.type))
            properties.append(key)
        }
        for text in query.columns.isEmpty ? ["count"] : query.columns {
            let (column, expression) = try aggregate(text, entity)
            columns.append(column)
            properties.append(expression)
        }
        request.propertiesToFetch = properties
        if !query.groupKeys.isEmpty { request.propertiesToGroupBy = query.groupKeys }
        let results = try opened.context.fetch(request)
        return (
            columns,
            results.map { result in
                Dictionary(columns.map { ($0.title, result[$0.title] ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
            }
        )
    }

    private static let functions = [
        "sum": "sum:", "avg": "average:", "average": "average:", "min": "min:", "max": "max:", "count": "count:",
    ]

    private static func aggregate(_ text: String, _ entity: NSEntityDescription) throws -> (Column, NSExpressionDescription) {
        let description = NSExpressionDescription()
        description.name = text
        var (function, type) = ("count:", NSAttributeDescription.AttributeType.integer64)
        var argument = _NSExpression.expressionForEvaluatedObject()
        if text != "count" {
            let parts = text.dropLast().split(separator: "(", maxSplits: 1).map(String.init)
            guard text.hasSuffix(")"), parts.count == 2, let name = functions[parts[0].lowercased()] else {
                throw ToolError.usage(
                    "“\(TextWidth.shown(text, limit: 60))” can't be selected", hint: "a query is: \(QueryText.form)")
            }
            let property = try ModelNames.property(parts[1], of: entity)
            guard let attribute = property as? NSAttributeDescription, !attribute.isTransient else {
                throw ToolError("“\(parts[1])” is not a stored attribute, so there is no \(parts[0]) of it")
            }
            let isNumber = [.integer16, .integer32, .integer64, .double, .float, .decimal].contains(attribute.type)
            if ["sum:", "average:"].contains(name), !isNumber {
                throw ToolError("“\(parts[1])” is not a number, so there is no \(parts[0]) of it")
            }
            function = name
            argument = _NSExpression(forKeyPath: parts[1])
            switch name {
            case "average:": type = .double
            case "count:": type = .integer64
            case "sum:" where [.integer16, .integer32].contains(attribute.type): type = .integer64
            default: type = attribute.type
            }
        }
        description.expression = _NSExpression(forFunction: function, arguments: [argument])
        description.resultType = type
        return (Column(title: text, type: type), description)
    }
}
