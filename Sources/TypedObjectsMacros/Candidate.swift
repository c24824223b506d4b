import SwiftDiagnostics
import SwiftSyntax

/// What a variable in the body of a class or struct is to a macro, as far as its source text shows.
enum Candidate {
    /// A managed property, with the parts that one has to have.
    case property(IdentifierPatternSyntax, TypeAnnotationSyntax, initialValue: ExprSyntax?)
    /// Not a managed property, and nothing is wrong with that.
    case notOurs
    /// Something to complain about.
    case mistake(MacroDiagnostic, at: Syntax, [FixIt])

    static func classify(_ variable: VariableDeclSyntax, of owner: ManagedProperty.Owner) -> Candidate {
        let annotations = PropertyAttributes(variable.attributes, reportingTo: nil)
        if variable.isOutsideTheEntity { return outsideTheEntity(variable, annotations) }
        guard variable.bindings.count == 1, let binding = variable.bindings.first,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
        else {
            let isStored = variable.bindings.contains { $0.accessorBlock == nil }
            return annotations.isIgnored || !isStored ? .notOurs : .mistake(.severalBindings, at: Syntax(variable.bindings), [])
        }
        if annotations.isIgnored { return ignored(variable, binding, pattern, annotations) }
        if let accessors = binding.accessorBlock { return computed(variable, binding, pattern, accessors, annotations) }
        if owner != .composite, variable.bindingSpecifier.tokenKind == .keyword(.let) {
            return constant(variable, pattern, annotations)
        }
        guard let annotation = binding.typeAnnotation else {
            return .mistake(
                .missingType(name: pattern.name), at: Syntax(pattern), binding.addingType.map { [$0] } ?? [])
        }
        return .property(pattern, annotation, initialValue: binding.initializer?.value)
    }

    /// `static var`, `lazy var` and the like, which may not be annotated.
    private static func outsideTheEntity(_ variable: VariableDeclSyntax, _ annotations: PropertyAttributes) -> Candidate {
        guard let annotation = annotations.annotation else { return .notOurs }
        return .mistake(
            .annotatedUnmanaged(annotation.simpleName ?? ""), at: Syntax(annotation), [variable.removing(annotation)])
    }

    /// A property under `@Ignored`, which may not be annotated otherwise and needs a value.
    private static func ignored(
        _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ pattern: IdentifierPatternSyntax,
        _ annotations: PropertyAttributes
    ) -> Candidate {
        if let annotation = annotations.annotation {
            return .mistake(
                .ignoredAndAnnotated(name: pattern.name, annotation.simpleName ?? ""), at: Syntax(annotation),
                [variable.removing(annotation)])
        }
        let hasValue = binding.initializer != nil || binding.typeAnnotation?.type.isOptional == true
        if hasValue || binding.accessorBlock != nil { return .notOurs }
        return .mistake(
            .ignoredWithoutValue(name: pattern.name), at: Syntax(pattern),
            binding.typeAnnotation.map { [$0.makingOptional] } ?? [])
    }

    /// A computed property, which may not be annotated, or one with observers, which none can have.
    private static func computed(
        _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ pattern: IdentifierPatternSyntax,
        _ accessors: AccessorBlockSyntax, _ annotations: PropertyAttributes
    ) -> Candidate {
        if binding.hasObservers { return .mistake(.observedProperty(name: pattern.name), at: Syntax(pattern), []) }
        guard let annotation = annotations.annotation else { return .notOurs }
        return .mistake(
            .annotatedComputed(name: pattern.name, annotation.simpleName ?? ""), at: Syntax(accessors),
            [variable.removing(annotation)])
    }

    /// A `let`, which has no accessors.
    private static func constant(
        _ variable: VariableDeclSyntax, _ pattern: IdentifierPatternSyntax, _ annotations: PropertyAttributes
    ) -> Candidate {
        let isFetched = annotations.fetchedAttribute != nil
        return .mistake(
            isFetched ? .fetchedConstant(name: pattern.name) : .letProperty(name: pattern.name),
            at: Syntax(variable.bindingSpecifier), [variable.replacingLet(by: isFetched ? "var" : "private(set) var")])
    }
}

extension IdentifierPatternSyntax {
    fileprivate var name: String { identifier.text.withoutBackticks }
}

extension PatternBindingSyntax {
    fileprivate var hasObservers: Bool {
        guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
        return accessors.contains {
            [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
        }
    }
}

extension VariableDeclSyntax {
    /// Whether the modifiers say that this is not a property of an entity.
    fileprivate var isOutsideTheEntity: Bool {
        modifiers.contains {
            switch $0.name.tokenKind {
            case .keyword(.static), .keyword(.class), .keyword(.lazy), .keyword(.weak), .keyword(.unowned), .keyword(.override):
                true
            default: false
            }
        }
    }
}
