import SwiftSyntax

extension PortingRules {
    /// Objective-C finds `validateTitle(_:)` by its name. Here the class calls it where it checks values. The method
    /// then takes the value itself, and not a pointer to it.
    mutating func portValidation(_ function: FunctionDeclSyntax) {
        guard let method = ValidationMethod(function) else { return }
        edits.replace(method.parameter.type.textRange, with: "inout Any?")
        edits.count(.validation)
        let name = method.parameter.name.text
        guard let body = function.body else { return }
        var uses: [DeclReferenceExprSyntax] = []
        SyntaxWalk.visit(Syntax(body)) { node in
            if let reference = node.as(DeclReferenceExprSyntax.self), reference.baseName.text == name { uses.append(reference) }
            return true
        } leave: { _ in
        }
        for use in uses {
            if let member = use.parent?.as(MemberAccessExprSyntax.self), member.base?.id == ExprSyntax(use).id,
                ["pointee", "memory"].contains(member.declName.baseName.text)
            {
                edits.removeExactly(use.textRange.upperBound..<member.textRange.upperBound)
            } else if use.parent?.parent?.parent?.is(FunctionCallExprSyntax.self) == true,
                use.parent?.is(LabeledExprSyntax.self) == true
            {
                // The value is handed on, as in `super.validateValue(value, forKey: key)`.
                edits.insert("&", at: use.textRange.lowerBound)
            }
        }
        guard method.capitalName != nil, let owner = Self.owner(of: function),
            !Self.siblings(of: owner).contains(where: Self.isClass(named: owner))
        else { return }
        say(
            .warning, at: function.name,
            "Objective-C finds \(method.name) by its name: move it into the file of its class, which then calls it")
    }

    /// Adds the calls to a class that has such methods, either itself or in extensions in the same source.
    mutating func callValidationMethods(of declaration: ClassDeclSyntax) {
        var functions = Self.functions(declaration.memberBlock)
        for item in Self.siblings(of: declaration) {
            guard let next = item.item.as(ExtensionDeclSyntax.self), Self.className(next) == declaration.name.text else {
                continue
            }
            functions += Self.functions(next.memberBlock)
        }
        // The superclass already calls a method that is overridden.
        let calls = functions.filter { $0.modifiers.named("override") == nil }.compactMap { ValidationMethod($0)?.call }
        guard !calls.isEmpty else { return }
        if let own = functions.first(where: { $0.name.text == "validateValue" && $0.modifiers.named("override") != nil }) {
            return say(
                .warning, at: own.name,
                "Objective-C's super.validateValue would call this class's methods for single properties: call them here by `switch key`"
            )
        }
        let access = scopes.last.map(Self.accessOfRequiredMembers).flatMap { $0.map { "\($0) " } } ?? ""
        let body = "switch key { \(calls.joined(separator: "; ")); default: break }; try super.validateValue(&value, forKey: key)"
        edits.insert(
            "\(access)override func validateValue(_ value: inout Any?, forKey key: String) throws { \(body) } ",
            at: declaration.memberBlock.rightBrace.textRange.lowerBound)
    }

    private static func functions(_ block: MemberBlockSyntax) -> [FunctionDeclSyntax] {
        block.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
    }

    /// The extension that contains a function.
    private static func owner(of function: FunctionDeclSyntax) -> ExtensionDeclSyntax? {
        function.parent?.parent?.parent?.parent?.as(ExtensionDeclSyntax.self)
    }

    private static func siblings(of declaration: some DeclSyntaxProtocol) -> [CodeBlockItemSyntax] {
        Array(declaration.parent?.parent?.as(CodeBlockItemListSyntax.self) ?? [])
    }

    private static func className(_ declaration: ExtensionDeclSyntax) -> String? {
        declaration.extendedType.as(IdentifierTypeSyntax.self)?.name.text
    }

    private static func isClass(named owner: ExtensionDeclSyntax) -> (CodeBlockItemSyntax) -> Bool {
        { $0.item.as(ClassDeclSyntax.self)?.name.text == className(owner) }
    }
}
