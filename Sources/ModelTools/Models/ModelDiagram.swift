package import DataModel

/// A model as a diagram of entities in a language for diagrams.
package enum ModelDiagram {
    /// Mermaid's class diagram.
    package static func mermaid(_ model: NSManagedObjectModel) -> [String] {
        let entities = sorted(model)
        var lines = ["classDiagram"]
        for entity in entities {
            let name = identifier(entity)
            lines.append("    class \(name) {")
            if entity.isAbstract { lines.append("        <<abstract>>") }
            for case let attribute as NSAttributeDescription in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
                let type = ModelOutline.typeName(attribute.type).filter { $0 != " " } + (attribute.isOptional ? "?" : "")
                lines.append("        \(type) \(safe(attribute.name))")
            }
            lines.append("    }")
            if let parent = entity.superentity { lines.append("    \(identifier(parent)) <|-- \(name)") }
        }
        for line in self.lines(entities) {
            lines.append("    \(line.from) \"\(line.fromCount)\" --> \"\(line.toCount)\" \(line.to) : \(safe(line.label))")
        }
        return lines
    }

    /// Graphviz's language.
    package static func dot(_ model: NSManagedObjectModel) -> [String] {
        func quoted(_ text: String) -> String {
            "\"" + TextWidth.shown(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        let entities = sorted(model)
        var lines = ["digraph model {", "    rankdir=LR;", "    node [shape=record, fontname=\"Helvetica\"];"]
        for entity in entities {
            let attributes = entity.ownProperties.compactMap { $0 as? NSAttributeDescription }.sorted { $0.name < $1.name }
            let rows = attributes.map { "\($0.name): \(ModelOutline.typeName($0.type))\($0.isOptional ? "?" : "")" }
            // Brackets, bars and angles build records.
            let cells = ([entity.name ?? ""] + rows).map { row in
                TextWidth.shown(row).map { "{}|<>\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
            }
            let label = "{\(cells[0])|\(cells.dropFirst().map { $0 + "\\l" }.joined())}"
            lines.append("    \(quoted(identifier(entity))) [label=\"\(label)\"];")
            if let parent = entity.superentity {
                lines.append("    \(quoted(identifier(entity))) -> \(quoted(identifier(parent))) [arrowhead=empty];")
            }
        }
        for line in self.lines(entities) {
            lines.append(
                "    \(quoted(line.from)) -> \(quoted(line.to)) [label=\(quoted(line.label)), "
                    + "taillabel=\"\(line.fromCount)\", headlabel=\"\(line.toCount)\"];")
        }
        return lines + ["}"]
    }

    private struct Line {
        let from, to, label, fromCount, toCount: String
    }

    /// One line for both sides of a relationship.
    private static func lines(_ entities: [NSEntityDescription]) -> [Line] {
        var drawn: Set<ObjectIdentifier> = []
        var lines: [Line] = []
        for entity in entities {
            for case let side as NSRelationshipDescription in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
                guard !drawn.contains(ObjectIdentifier(side)), let destination = side.destinationEntity else { continue }
                drawn.insert(ObjectIdentifier(side))
                let inverse = side.inverseRelationship
                if let inverse { drawn.insert(ObjectIdentifier(inverse)) }
                func count(_ side: NSRelationshipDescription) -> String { side.isToMany ? "*" : side.isOptional ? "0..1" : "1" }
                lines.append(
                    Line(
                        from: identifier(entity), to: identifier(destination),
                        label: side.name + (inverse.map { " / \($0.name)" } ?? ""), fromCount: inverse.map(count) ?? "",
                        toCount: count(side)))
            }
        }
        return lines
    }

    private static func sorted(_ model: NSManagedObjectModel) -> [NSEntityDescription] {
        model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    private static func identifier(_ entity: NSEntityDescription) -> String { safe(entity.name ?? "") }

    private static func safe(_ text: String) -> String {
        String(text.map { $0.isLetter || $0.isNumber || " /_".contains($0) ? $0 : "_" })
    }
}
