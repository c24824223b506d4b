/// What a change of a source is for.
package enum PortingRule: String, CaseIterable, Sendable {
    case objectiveCAttribute = "@objc and @objcMembers removed"
    case dynamicModifier = "dynamic removed"
    case managedProperty = "@NSManaged var → @Managed var"
    case accessor = "@NSManaged func → a function with a body"
    case keyPath = "#keyPath → a string"
    case selector = "#selector → a name"
    case requestCast = "cast of a fetch request → none, or a checked one"
    case requiredInitializer = "override init of an object or a store → required"
    case requiredMaker = "convenience init(context:) → required"
    case validation = "validation by a pointer → by inout"
    case overridingExtension = "extension with overrides → part of its class"
    case objectProtocol = "@objc protocol → a protocol of objects"
    case submodule = "import of a part of Core Data → of all of it"
}
