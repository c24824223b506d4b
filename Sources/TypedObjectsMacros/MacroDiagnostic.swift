import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What the macros of the typed layer can complain about.
enum MacroDiagnostic: Equatable {
    case entityNotOnClass
    case entityWithoutSuperclass(className: String)
    case entityNameNotLiteral
    case letProperty(name: String)
    case missingType(name: String)
    case severalBindings
    case observedProperty(name: String)
    case storedNameNotLiteral
    case managedNotOnVariable
    case managedOutsideClass
    case managedStatic(name: String)
    case managedComputed(name: String)
    case managedLazy(name: String)
}

extension MacroDiagnostic: DiagnosticMessage {
    var severity: DiagnosticSeverity { .error }

    var message: String {
        switch self {
        case .entityNotOnClass:
            "@Entity belongs on a class that inherits from NSManagedObject"
        case .entityWithoutSuperclass(let className):
            "@Entity class '\(className)' needs a superclass: NSManagedObject or another @Entity class"
        case .entityNameNotLiteral:
            "the entity name in @Entity must be a string literal"
        case .letProperty(let name):
            "managed property '\(name)' can't be a 'let': its value comes from the store; write 'private(set) var' instead"
        case .missingType(let name):
            "managed property '\(name)' needs a type annotation"
        case .severalBindings:
            "declare each managed property on its own: 'var a: Int' and 'var b: Int', not 'var a: Int, b: Int'"
        case .observedProperty(let name):
            "managed property '\(name)' can't have observers: use NSManagedObject's didChangeValue(forKey:) instead"
        case .storedNameNotLiteral:
            "the stored name must be a string literal without interpolation"
        case .managedNotOnVariable:
            "@Managed belongs on a stored 'var' property"
        case .managedOutsideClass:
            "@Managed belongs on a property of an NSManagedObject subclass"
        case .managedStatic(let name):
            "managed property '\(name)' can't be static"
        case .managedComputed(let name):
            "managed property '\(name)' can't have accessors of its own: @Managed writes them"
        case .managedLazy(let name):
            "managed property '\(name)' can't be lazy, weak or unowned"
        }
    }

    var diagnosticID: MessageID {
        let name = Mirror(reflecting: self).children.first?.label ?? "\(self)"
        return MessageID(domain: "TypedObjectsMacros", id: name)
    }

    /// Reports the complaint at a piece of source.
    func report(at node: some SyntaxProtocol, fixIts: [FixIt] = [], in context: some MacroExpansionContext) {
        context.diagnose(Diagnostic(node: node, message: self, fixIts: fixIts))
    }
}

/// The text an editor shows for a correction it can make.
struct MacroFixIt: FixItMessage {
    let message: String
    let fixItID: MessageID

    init(_ message: String, id: String) {
        self.message = message
        fixItID = MessageID(domain: "TypedObjectsMacros", id: id)
    }
}
