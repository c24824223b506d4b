// Writes the public declarations in a product's symbol graphs as lines in a fixed order: the name of the product, then the files. Run by
// scripts/public-interface.

import Foundation

struct Graph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Fragment: Decodable { let spelling: String }
        struct Availability: Decodable { let isUnconditionallyUnavailable: Bool? }
        struct Kind: Decodable { let identifier: String }

        let identifier: Identifier
        let kind: Kind
        let pathComponents: [String]
        let declarationFragments: [Fragment]?
        let availability: [Availability]?
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let targetFallback: String?
        let target: String
    }

    let symbols: [Symbol]
    let relationships: [Relationship]
}

/// Whether a name, or the label of an argument, begins with an underscore.
func isHidden(_ component: String) -> Bool {
    let parts = component.split(whereSeparator: { "(:)".contains($0) })
    return parts.contains { $0.hasPrefix("_") && $0 != "_" }
}

/// Protocols that nearly every type conforms to without saying so.
let implied: Set = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype", "Swift.BitwiseCopyable"]

var lines: Set<String> = []
var (typeCount, declarationCount) = (0, 0)
var known: Set<String> = []
var conformances: [(source: String, target: String)] = []
var typeNames: [String: String] = [:]

for path in CommandLine.arguments.dropFirst(2) {
    let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    for symbol in graph.symbols where symbol.kind.identifier != "swift.extension" && known.insert(symbol.identifier.precise).inserted {
        let kind = symbol.kind.identifier
        let isType = ["swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.actor", "swift.typealias"].contains(kind)
        let name = symbol.pathComponents.joined(separator: ".")
        let words = (symbol.declarationFragments ?? []).map(\.spelling).joined().split(whereSeparator: \.isWhitespace)
        let text = words.joined(separator: " ")
        if symbol.pathComponents.contains(where: isHidden) { continue }
        declarationCount += 1
        if isType { typeCount += 1 }
        typeNames[symbol.identifier.precise] = name
        let isUnavailable = symbol.availability?.contains { $0.isUnconditionallyUnavailable == true } ?? false
        let owner = symbol.pathComponents.dropLast().joined(separator: ".")
        lines.insert((owner.isEmpty ? "" : "\(owner): ") + (isUnavailable ? "(unavailable) " : "") + text)
    }
    for relationship in graph.relationships where relationship.kind == "conformsTo" {
        guard let target = relationship.targetFallback, !implied.contains(target) else { continue }
        conformances.append((relationship.source, target))
    }
}
for (source, target) in conformances {
    // A protocol is known by its name without the module, as in a declaration.
    let target = target.split(separator: ".").last.map(String.init) ?? target
    if let name = typeNames[source], !target.hasPrefix("_") { lines.insert("extension \(name): \(target)") }
}

print("# \(CommandLine.arguments[1]): \(declarationCount) declarations, of them \(typeCount) types")
print()
for line in lines.sorted() { print(line) }
