import SwiftSyntax
import SwiftSyntaxMacros

extension EntityClass {
    /// Warns of relationships to the class itself that have no inverse on either side. Other classes may name the
    /// inverse of their relationships, but they can't be seen from here.
    func reportMissingInverses(in context: some MacroExpansionContext) {
        let own = properties.filter { property in
            let type = property.type.withoutOptional
            return (type.elementType ?? type).typeName == className && !property.isCoded && !property.isTransformed
                && !property.isFetched
        }
        let named = Set(own.compactMap(\.attributes.inverse))
        let open = own.filter { $0.attributes.inverse == nil && !named.contains(stringLiteral($0.name)) }
        for property in open {
            let others = open.filter { $0.name != property.name }
            let target = others.count == 1 && property.attributes.relationshipAttribute == nil ? others.first : nil
            MacroDiagnostic.missingInverse(name: property.name).report(
                at: property.declaration.bindings,
                fixIts: target.map {
                    [property.declaration.adding("@Relationship(inverse: \\\(className).\($0.identifier))")]
                } ?? [], in: context)
        }
    }
}
