package import DataModel
package import Foundation
import Predicates

/// Conditions and orders that a person has typed.
package enum StorePredicate {
    /// - Throws: An error whose text shows the place of the mistake.
    package static func predicate(_ format: String) throws -> NSPredicate {
        do {
            return try NSPredicate(validating: format, argumentArray: [])
        } catch let error as InvalidPredicateError {
            throw ToolError(error.description)
        }
    }

    /// Reads `rating, -title`: a minus sign sorts downwards.
    package static func sortDescriptors(_ text: String?, _ entity: NSEntityDescription) throws -> [NSSortDescriptor] {
        guard let text else { return [] }
        return try keys(text).map { key in
            let isDescending = key.hasPrefix("-")
            let path = isDescending ? String(key.dropFirst()) : key
            let property = try ModelNames.property(path, of: entity)
            guard property is NSAttributeDescription, !property.isTransient else {
                throw ToolError("objects can't be sorted by “\(TextWidth.shown(path))”, which is not a stored attribute")
            }
            return NSSortDescriptor(key: path, ascending: !isDescending)
        }
    }

    package static func keys(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.drop { $0 == " " } }.map { String($0.reversed().drop { $0 == " " }.reversed()) }
    }
}
