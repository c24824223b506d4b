package import DataModel

/// The Swift files of a model's classes.
package struct GeneratedClasses {
    package enum Style: String, CaseIterable, Sendable {
        /// `@Entity` classes, whose properties have the types that the model means.
        case entity
        /// What Xcode generates.
        case xcode
    }

    package struct File: Hashable, Sendable {
        package let name: String
        package let text: String
        /// Whether people edit the file: it is written once and never again.
        package let isForEdits: Bool
    }

    package private(set) var files: [File] = []
    /// What the classes could not say, and names that changed.
    package private(set) var warnings: [String] = []

    /// - Parameters:
    ///   - source: What the head of each file names.
    ///   - access: `public`, or an empty text.
    package init(_ model: NSManagedObjectModel, source: String, style: Style, access: String) {
        let names = ClassNames(model)
        warnings = names.warnings
        for entity in names.entities {
            switch style {
            case .entity:
                var writer = EntityClassWriter(entity, names, source: source, access: access)
                files.append(File(name: "\(names[entity]).generated.swift", text: writer.text(), isForEdits: false))
                files.append(
                    File(
                        name: "\(names[entity]).swift",
                        text: "import OpenCoreData\n\nextension \(names[entity]) {\n}\n", isForEdits: true))
                warnings += writer.warnings
            case .xcode:
                guard entity.managedObjectClassName != "NSManagedObject" else { continue }
                let writer = XcodeClassWriter(entity, names)
                files.append(
                    File(name: "\(names[entity])+CoreDataClass.swift", text: writer.classText, isForEdits: true))
                files.append(
                    File(name: "\(names[entity])+CoreDataProperties.swift", text: writer.propertiesText, isForEdits: false))
            }
        }
    }
}

/// The names of a model's classes.
struct ClassNames {
    /// The entities that get a class, sorted.
    private(set) var entities: [NSEntityDescription] = []
    private(set) var warnings: [String] = []
    private var names: [ObjectIdentifier: String] = [:]
    private(set) var all: Set<String> = []

    init(_ model: NSManagedObjectModel) {
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            let className = entity.managedObjectClassName ?? ""
            let isPlain = className.isEmpty || className == "NSManagedObject"
            let name = SwiftName.type(isPlain ? entity.name ?? "" : className)
            names[ObjectIdentifier(entity)] = name
            if all.insert(name).inserted {
                entities.append(entity)
            } else {
                warnings.append("\(entity.name ?? ""): another entity has the class \(name), so no class is written for this one")
            }
        }
    }

    subscript(_ entity: NSEntityDescription) -> String { names[ObjectIdentifier(entity)] ?? "NSManagedObject" }

    /// A type of Swift or Foundation, with its module where a class of the model has its name.
    func outside(_ type: String) -> String {
        guard all.contains(type) else { return type }
        return
            (["String", "Bool", "Int16", "Int32", "Int64", "Double", "Float", "Set"].contains(type) ? "Swift." : "Foundation.")
            + type
    }
}
