import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Managed`: the accessors of one managed property.
///
/// With a slot, as `@Entity` writes it, they use the index of the value. Without one, they use a key that looks up the
/// index once per layout.
enum ManagedMacro {
    /// The property under the macro, if it can be managed. Only the accessor role reports mistakes.
    private static func property(
        _ declaration: some DeclSyntaxProtocol, reportingTo context: (any MacroExpansionContext)?
    ) -> ManagedProperty? {
        let report = { (diagnostic: MacroDiagnostic, node: Syntax) in
            if let context { diagnostic.report(at: node, in: context) }
        }
        guard let variable = declaration.as(VariableDeclSyntax.self) else {
            report(.managedNotOnVariable, Syntax(declaration))
            return nil
        }
        let pattern = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)
        let name = pattern?.identifier.text.withoutBackticks ?? variable.bindings.trimmedDescription
        for modifier in variable.modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.static), .keyword(.class):
                report(.managedStatic(name: name), Syntax(modifier))
                return nil
            case .keyword(.lazy), .keyword(.weak), .keyword(.unowned):
                report(.managedLazy(name: name), Syntax(modifier))
                return nil
            default: continue
            }
        }
        if let accessors = variable.bindings.first?.accessorBlock {
            report(.managedComputed(name: name), Syntax(accessors))
            return nil
        }
        return ManagedProperty(variable, of: .managed, reportingTo: context)
    }

    private static func slot(in node: AttributeSyntax) -> String? {
        let arguments = node.arguments?.as(LabeledExprListSyntax.self)
        return arguments?.first { $0.label?.text == "_slot" }?.expression.trimmedDescription
    }
}

extension ManagedMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [AccessorDeclSyntax] {
        // @Entity has given the slot and reports the mistakes, which are not repeated here.
        let slot = slot(in: node)
        guard let property = property(declaration, reportingTo: slot == nil ? context : nil) else {
            // These accessors keep the compiler from reporting more mistakes.
            return declaration.canHaveAccessors ? ["get { fatalError() }", "set { fatalError() }"] : []
        }
        guard let className = context.lexicalContext.first?.className else {
            MacroDiagnostic.managedOutsideClass.report(at: node, in: context)
            return ["get { fatalError() }", "set { fatalError() }"]
        }
        let place = slot.map { "\(stringLiteral(property.storedName)), \(className)._typedSlotBase + \($0)" }
        let key = place ?? "\(className).\(property.keyName)"
        // It has no slot, because its value is kept elsewhere.
        if property.isFetched {
            return ["get { _getFetched(\(raw: slot == nil ? key : stringLiteral(property.storedName))) }"]
        }
        // The compiler would not inline it by itself, and a call costs as much as the reading.
        let inlining = slot == nil ? "" : "@inline(__always) "
        let type = slot == nil && !property.isCoded && !property.isTransformed ? ", as: \(property.typeForSchema).self" : ""
        let getter: AccessorDeclSyntax = "\(raw: inlining)get { \(raw: property.accessor("get"))(\(raw: key)\(raw: type)) }"
        // The store computes a derived attribute, so there is no setter.
        if property.isDerived { return [getter] }
        let setter: AccessorDeclSyntax = "set { \(raw: property.accessor("set"))(\(raw: key), newValue) }"
        guard property.mayBeToMany else { return [getter, setter] }
        // A collection is changed in place, so that a change of one member does not cost as much as all of them.
        let modifier: AccessorDeclSyntax = """
            _modify {
                var edit = _edit(\(raw: key), as: \(raw: property.typeForSchema).self)
                defer { _end(&edit, \(raw: key)) }
                yield &edit.value
            }
            """
        return [getter, setter, modifier]
    }
}

extension ManagedMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        guard slot(in: node) == nil, let property = property(declaration, reportingTo: nil),
            context.lexicalContext.first?.className != nil
        else { return [] }
        var arguments = property.keyArguments
        if let location = context.location(of: declaration) {
            arguments += ", file: \(location.file.trimmed), line: \(location.line.trimmed)"
        }
        return ["private static let \(raw: property.keyName) = _ManagedKey(\(raw: arguments))"]
    }
}

extension ManagedProperty {
    fileprivate var keyName: String { "_key_\(name)" }

    /// Whether the type is spelled as a collection of objects, or as an optional one.
    fileprivate var mayBeToMany: Bool {
        let collection = type.withoutOptional
        return !isCoded && !isTransformed && collection.isCollection && !collection.isUnsupported
    }

    /// The arguments for the key: only those that can be compared with a model.
    fileprivate var keyArguments: String {
        let form = isCoded ? "coded" : isTransformed ? "transformed" : isFetched ? "fetched" : nil
        var arguments = "\(stringLiteral(storedName)), \(typeForSchema).self"
        if let form { arguments += ", form: .\(form)" }
        if storedName != name { arguments += ", property: \(stringLiteral(name))" }
        return arguments
    }
}

extension Syntax {
    /// The name of the class that this declares or extends. If it extends something else, the compiler reports it.
    fileprivate var className: String? {
        self.as(ClassDeclSyntax.self)?.name.text ?? self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
    }
}

extension DeclSyntaxProtocol {
    /// Whether a macro can write accessors for it.
    fileprivate var canHaveAccessors: Bool {
        guard let variable = self.as(VariableDeclSyntax.self), variable.bindingSpecifier.tokenKind == .keyword(.var) else {
            return false
        }
        return variable.bindings.count == 1 && variable.bindings.first?.accessorBlock == nil
            && variable.bindings.first?.typeAnnotation != nil
    }
}
