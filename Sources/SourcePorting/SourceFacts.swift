import SwiftParser
import SwiftSyntax

/// The declarations of a source, collected before anything is changed.
struct SourceFacts {
    private(set) var classes: [ClassOutline] = []
    /// The names of all types.
    private(set) var typeNames: Set<String> = []
    /// Managed properties of all classes, by Swift name. If a name occurs twice, the last one counts.
    private(set) var properties: [String: ClassOutline.Property] = [:]
    /// The Objective-C names of properties, if they differ.
    private(set) var objectiveCNames: [String: String] = [:]
    /// Whether relationships are ordered according to their accessors, by capital name.
    private var isOrderedByAccessor: [String: Bool] = [:]

    init(_ tree: SourceFileSyntax, _ source: SourceText) {
        var open: [Int?] = []
        var accessors: [(class: Int, accessor: CollectionAccessor, offset: Int)] = []
        var skipped: Set<SyntaxIdentifier> = []
        SyntaxWalk.visit(Syntax(tree)) { node in
            if skipped.contains(node.id) { return false }
            if node.kind == .ifConfigDecl { skipped.formUnion(BuildCondition.clausesNotBuilt(node)) }
            if let declaration = TypeDeclaration(node) {
                if !declaration.isExtension { typeNames.insert(declaration.name) }
                if declaration.isClassOrExtension {
                    let place = source.place(of: declaration.offset)
                    classes.append(
                        ClassOutline(
                            name: declaration.name, isExtension: declaration.isExtension,
                            inheritedNames: declaration.inheritedNames,
                            line: place.line, column: place.column))
                    open.append(classes.count - 1)
                } else {
                    open.append(nil)
                }
                return true
            }
            if let variable = node.as(VariableDeclSyntax.self) {
                add(variable, to: open.last ?? nil, source)
            } else if let function = node.as(FunctionDeclSyntax.self), function.attributes.named("NSManaged") != nil,
                let accessor = CollectionAccessor(function), let owner = open.last ?? nil
            {
                accessors.append((owner, accessor, function.positionAfterSkippingLeadingTrivia.utf8Offset))
                if let isOrdered = accessor.isOrdered { isOrderedByAccessor[accessor.capitalName] = isOrdered }
            }
            return !node.is(CodeBlockSyntax.self)
        } leave: { node in
            if TypeDeclaration(node) != nil { open.removeLast() }
        }
        for (owner, accessor, offset) in accessors {
            let place = source.place(of: offset)
            classes[owner].accessors.append(
                ClassOutline.Accessor(
                    key: key(of: accessor), isOrdered: accessor.isOrdered, line: place.line, column: place.column))
        }
    }

    private mutating func add(_ variable: VariableDeclSyntax, to owner: Int?, _ source: SourceText) {
        let managed = variable.attributes.named("Managed")
        let isManaged = managed != nil || variable.attributes.named("NSManaged") != nil
        let objectiveCName = variable.attributes.objectiveCName
        let argument = managed?.arguments?.as(LabeledExprListSyntax.self)?.first
        let literal =
            argument?.label == nil ? argument?.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue : nil
        var type = ""
        // `var a, b: Int` declares both.
        for binding in variable.bindings.reversed() {
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
            if let annotation = binding.typeAnnotation { type = source[annotation.type.textRange] }
            let name = pattern.identifier.text.withoutBackticks
            if let objectiveCName, variable.bindings.count == 1, objectiveCName != name { objectiveCNames[name] = objectiveCName }
            guard isManaged else { continue }
            let place = source.place(of: pattern.positionAfterSkippingLeadingTrivia.utf8Offset)
            let property = ClassOutline.Property(
                name: name, storedName: literal ?? objectiveCNames[name] ?? name, type: type, line: place.line,
                column: place.column)
            properties[name] = property
            if let owner { classes[owner].properties.append(property) }
        }
    }

    private func property(of accessor: CollectionAccessor) -> ClassOutline.Property? {
        for key in accessor.keys { if let property = properties[key] { return property } }
        return nil
    }

    /// The relationship's name in the model.
    func key(of accessor: CollectionAccessor) -> String {
        property(of: accessor)?.storedName ?? accessor.keys[0]
    }

    /// Whether an accessor's relationship is ordered; nil if the source does not show it.
    func isOrdered(_ accessor: CollectionAccessor) -> Bool? {
        if let isOrdered = accessor.isOrdered { return isOrdered }
        if let type = property(of: accessor)?.type {
            let parameter = CollectionAccessor.Parameter(label: "_", name: "", type: type)
            if parameter.plainType.hasPrefix("[") || parameter.plainType.hasPrefix("Array<") { return true }
            if let isOrdered = parameter.isOrderedCollection { return isOrdered }
        }
        return isOrderedByAccessor[accessor.capitalName]
    }
}
