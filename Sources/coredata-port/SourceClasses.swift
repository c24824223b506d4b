import SourcePorting

/// The classes that the given sources declare, with all their extensions.
struct SourceClasses {
    struct Part {
        let path: String
        let module: String?
        let outline: ClassOutline
    }

    /// The parts of each class, by its name.
    private(set) var parts: [String: [Part]] = [:]

    init(_ files: [SourceFile]) {
        for file in files {
            for outline in file.ported.classes {
                parts[outline.name, default: []].append(Part(path: file.path, module: file.module, outline: outline))
            }
        }
    }

    /// Extensions with managed properties whose class is in another module, or in none of the files. The compiler
    /// accepts such extensions only in the class's own module.
    func strayExtensions() -> [(path: String, message: PortingMessage)] {
        var found: [(path: String, message: PortingMessage)] = []
        for (name, parts) in parts {
            let classes = parts.filter { !$0.outline.isExtension }
            for part in parts
            where part.outline.isExtension && !(part.outline.properties.isEmpty && part.outline.accessors.isEmpty) {
                if classes.contains(where: { $0.module == part.module }) { continue }
                let place =
                    classes.first.map { "is in \($0.path), which belongs to another module" } ?? "is in none of the files"
                let text = "the class \(name) \(place); its managed properties must be in the module of the class"
                let message = PortingMessage(
                    .warning, line: part.outline.line, column: part.outline.column, text)
                found.append((part.path, message))
            }
        }
        return found
    }
}
