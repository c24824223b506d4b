import SwiftSyntax

/// The rules at work on one source.
struct PortingRules {
    /// A type or extension around the present place.
    struct Scope {
        let isExtension: Bool
        /// The access level, as written or as the extension around it says.
        let access: String?
        let hasObjectiveCMembers: Bool
    }

    let source: SourceText
    let facts: SourceFacts
    var edits: SourceEdits
    private let tree: SourceFileSyntax
    private(set) var messages: [PortingMessage] = []
    private(set) var scopes: [Scope] = []
    /// Extensions that become part of their class.
    var mergedExtensions: Set<SyntaxIdentifier> = []
    /// The number of conditions around the place that ask for one of Apple's modules.
    private var appleConditions = 0

    init(_ tree: SourceFileSyntax, _ source: SourceText, style: LineStyle) {
        self.tree = tree
        self.source = source
        facts = SourceFacts(tree, source)
        edits = SourceEdits(source, style: style)
    }

    mutating func apply() {
        // Code that is not built stays as it is.
        var skipped: Set<SyntaxIdentifier> = []
        SyntaxWalk.visit(Syntax(tree)) { node in
            if skipped.contains(node.id) { return false }
            if node.kind == .ifConfigDecl { skipped.formUnion(BuildCondition.clausesNotBuilt(node)) }
            if asksForAppleModule(node) { appleConditions += 1 }
            if let declaration = TypeDeclaration(node) { enter(declaration, node) }
            return port(node)
        } leave: { node in
            if asksForAppleModule(node) { appleConditions -= 1 }
            if TypeDeclaration(node) != nil { scopes.removeLast() }
        }
    }

    /// Adds a message about a place.
    mutating func say(_ severity: PortingMessage.Severity, at node: some SyntaxProtocol, _ text: String, feature: String? = nil) {
        let place = source.place(of: node.positionAfterSkippingLeadingTrivia.utf8Offset)
        messages.append(PortingMessage(severity, line: place.line, column: place.column, text, feature: feature))
    }

    /// - Returns: False if the node's children need no porting.
    private mutating func port(_ node: Syntax) -> Bool {
        switch node.kind {
        case .codeBlockItemList:
            if scopes.isEmpty, let items = node.as(CodeBlockItemListSyntax.self) { mergeOverridingExtensions(items) }
        case .attribute: return node.as(AttributeSyntax.self).map { portAttribute($0) } ?? true
        case .declModifier: if let modifier = node.as(DeclModifierSyntax.self) { portModifier(modifier) }
        case .variableDecl: if let variable = node.as(VariableDeclSyntax.self) { portProperty(variable) }
        case .functionDecl:
            guard let function = node.as(FunctionDeclSyntax.self) else { break }
            portFunction(function)
            portValidation(function)
        case .initializerDecl: if let initializer = node.as(InitializerDeclSyntax.self) { portInitializer(initializer) }
        case .protocolDecl: if let declaration = node.as(ProtocolDeclSyntax.self) { portProtocol(declaration) }
        case .classDecl:
            guard let declaration = node.as(ClassDeclSyntax.self) else { break }
            checkName(declaration)
            callValidationMethods(of: declaration)
        case .importDecl:
            if let declaration = node.as(ImportDeclSyntax.self) { portImport(declaration) }
            return false
        case .macroExpansionExpr: return node.as(MacroExpansionExprSyntax.self).map { portExpression($0) } ?? true
        case .macroExpansionDecl: return node.as(MacroExpansionDeclSyntax.self).map { portExpression($0) } ?? true
        case .functionCallExpr: return node.as(FunctionCallExprSyntax.self).map { portCall($0) } ?? true
        case .sequenceExpr: if let sequence = node.as(SequenceExprSyntax.self) { portCast(sequence) }
        case .identifierType: if let type = node.as(IdentifierTypeSyntax.self) { checkFeature(type.name) }
        case .declReferenceExpr: if let name = node.as(DeclReferenceExprSyntax.self) { checkFeature(name.baseName) }
        default: break
        }
        return true
    }

    private mutating func enter(_ declaration: TypeDeclaration, _ node: Syntax) {
        let outer = scopes.last
        let byExtension = outer.flatMap { $0.isExtension ? $0.access : nil }
        scopes.append(
            Scope(
                isExtension: declaration.isExtension && !mergedExtensions.contains(node.id),
                access: declaration.access ?? byExtension,
                hasObjectiveCMembers: declaration.attributes.named("objcMembers") != nil
                    || declaration.isExtension && declaration.attributes.named("objc") != nil))
    }

    private func asksForAppleModule(_ node: Syntax) -> Bool {
        guard node.kind == .ifConfigClause, let condition = node.as(IfConfigClauseSyntax.self)?.condition else { return false }
        return BuildCondition.asksForAppleModule(source[condition.textRange])
    }

    // MARK: What is missing

    mutating func portImport(_ declaration: ImportDeclSyntax) {
        guard let first = declaration.path.first else { return }
        let module = first.name.text
        if module == "CoreData", declaration.importKindSpecifier == nil, let last = declaration.path.last, last.id != first.id {
            edits.removeExactly(first.name.textRange.upperBound..<last.textRange.upperBound)
            edits.count(.submodule)
        }
        guard appleConditions == 0, AppleModules.names.contains(module) else { return }
        say(.missing, at: first, "only Apple's systems have the module \(module)", feature: "module \(module)")
    }

    private mutating func checkFeature(_ name: TokenSyntax) {
        guard appleConditions == 0, let feature = MissingFeatures.names[name.text], !facts.typeNames.contains(name.text) else {
            return
        }
        say(.missing, at: name, "there is no \(name.text) here (\(feature))", feature: feature)
    }

    /// A model uses the class's Objective-C name.
    private mutating func checkName(_ declaration: ClassDeclSyntax) {
        let name = declaration.name.text.withoutBackticks
        guard declaration.inheritanceClause != nil, let other = declaration.attributes.objectiveCName, other != name else {
            return
        }
        let text =
            "Objective-C calls the class \(other): if a model does, too, its objects will be of the class NSManagedObject; name it \(name) in the model"
        say(.warning, at: declaration.name, text)
    }
}
