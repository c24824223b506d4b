import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph

/// The contents of a context as text, objects named by their attribute "name": equal dumps, equal graphs.
enum GraphDump {
    /// - Parameter entities: The root entities to fetch, pending changes included.
    static func of(_ context: NSManagedObjectContext, _ entities: [String]) throws -> [String] {
        try entities.flatMap { entity in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).map(line).sorted()
        }
    }

    /// What differs between two dumps, for messages.
    static func difference(_ a: [String], _ b: [String]) -> String {
        func parts(_ dump: [String]) -> Set<String> {
            Set(
                dump.flatMap { line in
                    let words = line.split(separator: " name=")
                    let name = words.count > 1 ? words[1].prefix { $0 != " " } : ""
                    return line.split(separator: " ", omittingEmptySubsequences: true).map { "\(name).\($0)" }
                })
        }
        let (a, b) = (parts(a), parts(b))
        return "is \(a.subtracting(b).sorted()), was \(b.subtracting(a).sorted())"
    }

    private static func line(_ object: NSManagedObject) -> String {
        var parts: [String] = []
        for (key, property) in object.entity.propertiesByName.sorted(by: { $0.key < $1.key }) {
            if let relationship = property as? NSRelationshipDescription {
                if relationship.isOrdered {
                    parts.append("\(key)=[\(object.nameList(key).joined(separator: " "))]")
                } else if relationship.isToMany {
                    parts.append("\(key)={\(object.names(key).sorted().joined(separator: " "))}")
                } else {
                    parts.append("\(key)=\(object.one(key)?.text("name") ?? "-")")
                }
            } else {
                parts.append("\(key)=\(object.value(forKey: key).map { "\($0)" } ?? "nil")")
            }
        }
        return "\(object.entity.name ?? "") \(parts.joined(separator: " "))"
    }
}
