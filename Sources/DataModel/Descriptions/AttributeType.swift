extension NSAttributeDescription {
    /// The kind of value an attribute holds.
    ///
    /// The raw values are those of `NSAttributeType` and of Apple's model files.
    public struct AttributeType: Hashable, RawRepresentable, Sendable {
        /// The number that stands for the type in model files.
        public let rawValue: UInt

        /// Makes a type from its number. A number that Core Data does not know gives a value equal to none of the constants.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Makes a type from the older enumeration.
        public init(_ type: NSAttributeType) {
            rawValue = type.rawValue
        }

        /// No type. Such an attribute can only be transient.
        public static let undefined = AttributeType(.undefinedAttributeType)
        /// A 16-bit signed integer.
        public static let integer16 = AttributeType(.integer16AttributeType)
        /// A 32-bit signed integer.
        public static let integer32 = AttributeType(.integer32AttributeType)
        /// A 64-bit signed integer.
        public static let integer64 = AttributeType(.integer64AttributeType)
        /// A decimal number.
        public static let decimal = AttributeType(.decimalAttributeType)
        /// A double-precision number.
        public static let double = AttributeType(.doubleAttributeType)
        /// A single-precision number.
        public static let float = AttributeType(.floatAttributeType)
        /// Text.
        public static let string = AttributeType(.stringAttributeType)
        /// True or false.
        public static let boolean = AttributeType(.booleanAttributeType)
        /// A point in time.
        public static let date = AttributeType(.dateAttributeType)
        /// Bytes.
        public static let binaryData = AttributeType(.binaryDataAttributeType)
        /// A UUID.
        public static let uuid = AttributeType(.UUIDAttributeType)
        /// A URL.
        public static let uri = AttributeType(.URIAttributeType)
        /// Any value that a value transformer turns into bytes.
        public static let transformable = AttributeType(.transformableAttributeType)
        /// The identifier of a managed object.
        public static let objectID = AttributeType(.objectIDAttributeType)
        /// A group of other attributes.
        public static let composite = AttributeType(.compositeAttributeType)

        /// The name of the type in `.xcdatamodel` files ("Integer 16", "String", …); nil for undefined and unknown types.
        package var modelFileName: String? {
            AttributeType.modelFileNames[rawValue]
        }

        /// The type with a name as `.xcdatamodel` files write it.
        package init?(modelFileName: String) {
            guard let entry = AttributeType.modelFileNames.first(where: { $0.value == modelFileName }) else { return nil }
            rawValue = entry.key
        }

        /// The class name that Core Data gives values of this type; nil for transformable, undefined and unknown types.
        package var valueClassName: String? {
            switch self {
            case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
            case .decimal: "NSDecimalNumber"
            case .string: "NSString"
            case .date: "NSDate"
            case .binaryData: "NSData"
            case .uuid: "NSUUID"
            case .uri: "NSURL"
            case .objectID: "NSManagedObjectID"
            case .composite: "NSDictionary"
            default: nil
            }
        }

        private static let modelFileNames: [UInt: String] = [
            100: "Integer 16", 200: "Integer 32", 300: "Integer 64", 400: "Decimal", 500: "Double", 600: "Float", 700: "String",
            800: "Boolean", 900: "Date", 1000: "Binary", 1100: "UUID", 1200: "URI", 1800: "Transformable", 2000: "ObjectID",
            2100: "Composite",
        ]
    }
}

extension NSAttributeDescription.AttributeType: CustomStringConvertible {
    /// The name of the type in model files, for messages.
    public var description: String {
        modelFileName ?? (self == .undefined ? "Undefined" : "unknown type \(rawValue)")
    }
}
