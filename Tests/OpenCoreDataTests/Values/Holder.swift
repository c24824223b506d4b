import OpenCoreData

/// One optional attribute of each type, by `@Entity`.
@Entity final class Holder: NSManagedObject {
    var number: Int
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var flag: Bool?
    var double: Double?
    var float: Float?
    var decimal: Decimal?
    var date: Date?
    var text: String?
    var link: URL?
    var uuid: UUID?
    var bytes: Data?
    @Attribute(.transformable) var shape: [String]?
}

/// The same by hand.
final class Handmade: NSManagedObject {
    @Managed var number: Int
    @Managed var int16: Int16?
    @Managed var int32: Int32?
    @Managed var int64: Int64?
    @Managed var flag: Bool?
    @Managed var double: Double?
    @Managed var float: Float?
    @Managed var decimal: Decimal?
    @Managed var date: Date?
    @Managed var text: String?
    @Managed var link: URL?
    @Managed var uuid: UUID?
    @Managed var bytes: Data?
}

/// Every attribute is required. By key only.
final class Strict: NSManagedObject {}

enum HolderModel {
    static let attributes: [(name: String, type: NSAttributeDescription.AttributeType)] = [
        ("int16", .integer16), ("int32", .integer32), ("int64", .integer64), ("flag", .boolean), ("double", .double),
        ("float", .float), ("decimal", .decimal), ("date", .date), ("text", .string), ("link", .uri), ("uuid", .uuid),
        ("bytes", .binaryData), ("shape", .transformable),
    ]

    /// What the attributes of `Strict` have by default.
    private static var neutral: [String: Any] {
        [
            "int16": 0, "int32": 0, "int64": 0, "flag": false, "double": 0.0, "float": Float(0), "decimal": NSDecimalNumber.zero,
            "date": Date(timeIntervalSinceReferenceDate: 0), "text": "", "link": URL(fileURLWithPath: "/"),
            "uuid": UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), "bytes": Data(), "shape": ["neutral"],
        ]
    }

    /// - Parameter defaults: Default values of `Holder`.
    static func make(defaults: [String: Any] = [:]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = [Holder.self, Handmade.self, Strict.self].map { objectClass in
            let entity = NSEntityDescription()
            entity.name = "\(objectClass)"
            entity.managedObjectClassName = NSStringFromClass(objectClass)
            let isStrict = objectClass == Strict.self
            entity.properties = attributes.map { attribute($0.name, $0.type, isStrict ? neutral[$0.name] : nil, isStrict) }
            if objectClass == Holder.self {
                for property in entity.properties.compactMap({ $0 as? NSAttributeDescription }) {
                    property.defaultValue = defaults[property.name]
                }
                let box = NSCompositeAttributeDescription()
                box.name = "box"
                box.isOptional = true
                // Names of their own: a column has the name of the element alone.
                box.elements = attributes.map { attribute(element($0.name), $0.type, nil, false) }
                entity.properties.append(box)
            }
            entity.properties.append(attribute("number", .integer64, 0, true))
            return entity
        }
        return model
    }

    /// The name of the composite's element of an attribute's type.
    static func element(_ attribute: String) -> String { "element" + attribute }

    private static func attribute(
        _ name: String, _ type: NSAttributeDescription.AttributeType, _ value: Any?, _ isRequired: Bool
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.isOptional = !isRequired
        attribute.defaultValue = value
        return attribute
    }
}
