import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityClass {
    /// The properties that the generated initializer takes: required ones first, then those that have a default.
    ///
    /// A property that is less visible than the class takes part only if the object needs it.
    var initializerParameters: [ManagedProperty] {
        let settable = properties.filter { !$0.isReadOnly }
        let required = settable.filter { $0.defaultArgument == nil }
        let others = settable.filter { $0.defaultArgument != nil && $0.access >= min(access, .public) }
        return required + others
    }

    /// The class's access level, or a lower one if required properties are less visible than the class.
    private var initializerAccess: AccessLevel {
        let required = initializerParameters.filter { $0.defaultArgument == nil && $0.access > .fileprivate }
        return required.map(\.access).reduce(min(access, .public), min)
    }

    /// Sets the properties. A property with the model's default value, which it has if no value was passed, counts as
    /// not set. So if a save merges the object with a stored row, the row keeps its values for such properties.
    private func assignments(_ parameters: [ManagedProperty]) -> [String] {
        func assignment(_ parameter: ManagedProperty) -> String { "self.\(parameter.identifier) = \(parameter.identifier)" }
        func isPlain(_ parameter: ManagedProperty) -> Bool {
            parameter.defaultArgument != nil && !parameter.isToMany && !parameter.isComputed
        }
        let defaults = parameters.filter(isPlain)
        let others = parameters.filter { !isPlain($0) }.map { parameter in
            if parameter.isComputed { return "if let \(parameter.identifier) { \(assignment(parameter)) }" }
            return parameter.isToMany && parameter.initialValue == nil
                ? "if !\(parameter.identifier).isEmpty { \(assignment(parameter)) }" : assignment(parameter)
        }
        guard !defaults.isEmpty else { return others }
        return others + ["let _before = _setProperties"] + defaults.map(assignment) + ["_forgetDefaults(since: _before)"]
    }

    /// `convenience init(context:…)`; nil if it would be the initializer that every managed object has, or one that the
    /// class declares itself.
    func initializer(besides declaration: some DeclGroupSyntax) -> DeclSyntax? {
        let parameters = initializerParameters
        guard !parameters.isEmpty, !declaration.hasInitializer(labels: ["context"] + parameters.map(\.name)) else {
            return nil
        }
        let contextName = parameters.contains { $0.name == "context" } ? "managedObjectContext" : "context"
        let label = contextName == "context" ? "" : "context "
        let list = parameters.map { parameter in
            if parameter.isComputed { return "\(parameter.identifier): Optional<\(parameter.type)> = nil" }
            return "\(parameter.identifier): \(parameter.type)" + (parameter.defaultArgument.map { " = \($0)" } ?? "")
        }
        let required = parameters.filter { $0.defaultArgument == nil }.map { "`\($0.name)`" }
        var documentation =
            required.isEmpty
            ? "Every property has a default." : "The object can't do without \(required.joined(separator: ", "))."
        if isAbstract { documentation += " It is for subclasses: an object of the abstract class itself can't be saved." }
        return """
            /// Inserts a new `\(raw: entityName)` object into a context and sets its properties.
            ///
            /// Call it on the context's queue. \(raw: documentation)
            \(raw: initializerAccess.modifier)convenience init(\
            \(raw: (["\(label)\(contextName): NSManagedObjectContext"] + list).joined(separator: ", "))) {
                let _fault = \(raw: contextName)._beginInsertion()
                self.init(entity: Self._entityDescription(in: \(raw: contextName)), insertInto: Optional(\(raw: contextName)))
                \(raw: contextName)._endInsertion(_fault)
                \(raw: assignments(parameters).joined(separator: "\n    "))
            }
            """
    }
}

extension EntityClass {
    /// An initializer for a class with a reported property that has no value. Without it the compiler would report the
    /// missing initializer, too.
    func silencingInitializer(besides declaration: some DeclGroupSyntax) -> DeclSyntax? {
        guard declaration.memberBlock.members.contains(where: { $0.decl.isStoredWithoutValue }),
            !declaration.hasInitializer(labels: ["entity", "insertInto"])
        else { return nil }
        return """
            \(raw: min(access, .public).modifier)required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
                fatalError()
            }
            """
    }
}

extension DeclSyntax {
    /// Whether it declares a property that is not managed, and that needs a value from an initializer.
    fileprivate var isStoredWithoutValue: Bool {
        guard let variable = self.as(VariableDeclSyntax.self), ManagedProperty(variable, reportingTo: nil) == nil else {
            return false
        }
        let isElsewhere = variable.modifiers.contains {
            [.keyword(.static), .keyword(.class), .keyword(.lazy), .keyword(.weak), .keyword(.override)].contains(
                $0.name.tokenKind)
        }
        let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
        return !isElsewhere
            && variable.bindings.contains {
                $0.initializer == nil && $0.accessorBlock == nil && (isConstant || $0.typeAnnotation?.type.isOptional != true)
            }
    }
}

extension DeclGroupSyntax {
    fileprivate func hasInitializer(labels: [String]) -> Bool {
        memberBlock.members.contains { member in
            guard let parameters = member.decl.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters else {
                return false
            }
            return parameters.map { $0.firstName.text.withoutBackticks } == labels
        }
    }
}
