import DataModel
import ObjectGraph

extension NSManagedObjectContext {
    /// The description of the property that stored names with dots between them lead to. It is nil if the model has no such
    /// property.
    func property<Object: NSManagedObject>(at path: String, of type: Object.Type) -> NSPropertyDescription? {
        var properties = topEntities(of: type).first?.propertiesByName ?? [:]
        var found: NSPropertyDescription?
        for name in path.split(separator: ".") {
            found = properties[String(name)]
            switch found {
            case let relationship as NSRelationshipDescription:
                properties = relationship.destinationEntity?.propertiesByName ?? [:]
            case let composite as NSCompositeAttributeDescription:
                properties = Dictionary(composite.elements.map { ($0.name, $0) }) { first, _ in first }
            default: properties = [:]
            }
        }
        return found
    }
}
