import SwiftSyntax

extension PortingRules {
    /// `@NSManaged var` becomes `@Managed var`. A declaration of two properties becomes two declarations, because the
    /// macro accepts only one.
    mutating func portProperty(_ variable: VariableDeclSyntax) {
        guard let attribute = variable.attributes.named("NSManaged") else { return }
        let bindings = Array(variable.bindings)
        let name = bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text.withoutBackticks
        let objectiveCName = variable.attributes.objectiveCName.flatMap { $0 == name || $0.contains(":") ? nil : $0 }
        let managed = objectiveCName.map { "@Managed(\(stringLiteral($0)))" } ?? "@Managed"
        edits.replace(attribute.textRange, with: managed)
        edits.count(.managedProperty)
        guard bindings.count > 1 else { return }
        let others = variable.attributes.filter { !["objc", "NSManaged"].contains($0.as(AttributeSyntax.self)?.plainName) }
            .map { source[$0.textRange] + " " }.joined()
        let modifiers = variable.modifiers.filter { $0.name.text != "dynamic" }.map { source[$0.textRange] + " " }.joined()
        var type: String?
        for (index, binding) in bindings.enumerated().reversed() {
            if let annotation = binding.typeAnnotation {
                type = source[annotation.type.textRange]
            } else if let type {
                edits.insert(": \(type)", at: binding.pattern.textRange.upperBound)
            }
            guard index > 0, let comma = bindings[index - 1].trailingComma else { continue }
            let range = comma.textRange
            let isBlankNext = range.upperBound < source.bytes.count && source.bytes[range.upperBound] <= UInt8(ascii: " ")
            edits.replace(range, with: "; \(others)\(managed) \(modifiers)var\(isBlankNext ? "" : " ")")
            edits.count(.managedProperty)
        }
    }

    /// `@NSManaged func addToMovies(_:)` and its kin get a body.
    mutating func portFunction(_ function: FunctionDeclSyntax) {
        guard let attribute = function.attributes.named("NSManaged") else { return }
        guard let accessor = CollectionAccessor(function) else {
            let text =
                "@NSManaged needs Objective-C, and \(function.name.text) is not an accessor that Core Data makes for a to-many relationship: write a body"
            return say(.error, at: function.name, text)
        }
        edits.remove(attribute.textRange)
        for (index, parameter) in function.signature.parameterClause.parameters.enumerated() where parameter.name.text == "_" {
            let name = CollectionAccessor.nameOfUnnamed(index)
            if let second = parameter.secondName {
                edits.replace(second.textRange, with: name)
            } else {
                edits.insert(" \(name)", at: parameter.firstName.textRange.upperBound)
            }
        }
        let body = accessor.body(key: facts.key(of: accessor), isOrdered: facts.isOrdered(accessor))
        edits.insert(" \(body)", at: function.signature.textRange.upperBound)
        edits.count(.accessor)
    }

    /// The designated initializers of managed objects and of stores, which are required here.
    private static let requiredInitializers = [
        ["entity", "insertInto"], ["persistentStoreCoordinator", "configurationName", "at", "options"],
    ]

    /// The designated initializer of managed objects and of stores is required here, and must be as visible as its class.
    ///
    /// The same is true of `init(context:)`, which a class may declare without `override`.
    mutating func portInitializer(_ initializer: InitializerDeclSyntax) {
        let labels = initializer.signature.parameterClause.parameters.map(\.firstName.text)
        let replaced: DeclModifierSyntax
        if Self.requiredInitializers.contains(labels), let override = initializer.modifiers.named("override") {
            edits.count(.requiredInitializer)
            replaced = override
        } else if labels == ["context"], initializer.takesContextInSubclass, initializer.modifiers.named("required") == nil,
            let convenience = initializer.modifiers.named("convenience")
        {
            edits.count(.requiredMaker)
            replaced = convenience
        } else {
            return
        }
        let keepsReplaced = replaced.name.text == "convenience"
        let needed = scopes.last.map(Self.accessOfRequiredMembers) ?? nil
        var access = ""
        if let written = initializer.modifiers.access {
            let isEnough = written.name.text == "public" || written.name.text == needed || needed == nil && !written.isPrivate
            if !isEnough {
                edits.remove(written.textRange)
                access = needed.map { "\($0) " } ?? ""
            }
        } else if let needed {
            access = "\(needed) "
        }
        if initializer.modifiers.named("required") != nil {
            edits.remove(replaced.textRange)
            if !access.isEmpty { edits.insert(access, at: initializer.initKeyword.textRange.lowerBound) }
        } else {
            edits.replace(replaced.textRange, with: "\(access)required" + (keepsReplaced ? " convenience" : ""))
        }
    }

    /// The access modifier that a required or overriding member of a class needs; nil if it needs none.
    static func accessOfRequiredMembers(_ scope: Scope) -> String? {
        switch scope.access {
        case "open", "public": "public"
        case "package": "package"
        default: nil
        }
    }
}

extension DeclModifierSyntax {
    fileprivate var isPrivate: Bool { name.text == "private" || name.text == "fileprivate" }
}

extension InitializerDeclSyntax {
    /// Whether it makes an object of a class with a superclass from a managed object context alone.
    fileprivate var takesContextInSubclass: Bool {
        let types = signature.parameterClause.parameters.map(\.type.trimmedDescription)
        let owner = parent?.parent?.parent?.parent?.as(ClassDeclSyntax.self)
        return types == ["NSManagedObjectContext"] && optionalMark == nil && owner?.inheritanceClause != nil
    }
}

extension FunctionParameterSyntax {
    /// The parameter's name in the body.
    var name: TokenSyntax { secondName ?? firstName }
}
