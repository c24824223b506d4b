import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The mistakes that the macros of the typed layer report.
enum MacroDiagnostic: Equatable {
    case entityNotOnClass
    case entityWithoutSuperclass(className: String)
    case wrongSuperclass(String, className: String)
    case genericEntity(className: String)
    case entityNameNotLiteral
    case groupNotKeyPaths(String)
    case letProperty(name: String)
    case missingType(name: String)
    case severalBindings
    case observedProperty(name: String)
    case reservedName(String)
    case duplicateStoredName(String)
    case unsupportedType(name: String, type: String)
    case storedNameNotLiteral
    case annotatedComputed(name: String, String)
    case annotatedUnmanaged(String)
    case ignoredAndAnnotated(name: String, String)
    case ignoredWithoutValue(name: String)
    case conflictingOptions(String, String)
    case derivedWithValue(name: String, value: String)
    case derivedWithSetter(name: String)
    case fetchedConstant(name: String)
    case fetchedWithValue(name: String, value: String)
    case fetchedWithSetter(name: String)
    case fetchedType(name: String, type: String)
    case fetchedAndAnnotated(name: String, String)
    case optionOnRelationship(String)
    case attributeAndRelationship(name: String)
    case relationshipOnValue(name: String, type: String)
    case countOnToOne(name: String)
    case inverseNotLiteral
    case missingInverse(name: String)
    case compositeNotOnStruct
    case genericComposite(String)
    case relationshipInComposite(name: String)
    case optionInComposite(String)
    case constantInComposite(name: String)
    case managedNotOnVariable
    case managedOutsideClass
    case managedStatic(name: String)
    case managedComputed(name: String)
    case managedLazy(name: String)
    case managedActorNotOnActor
    case managedActorValue(name: String, actor: String)
}

extension MacroDiagnostic: DiagnosticMessage {
    /// A missing inverse is only a note, because a model from a file has the inverse there.
    var severity: DiagnosticSeverity { if case .missingInverse = self { .note } else { .error } }

    var message: String {
        switch self {
        case .entityNotOnClass:
            "@Entity belongs on a class that inherits from NSManagedObject"
        case .entityWithoutSuperclass(let className):
            "@Entity class '\(className)' needs a superclass: NSManagedObject or another @Entity class"
        case .wrongSuperclass(let superclass, let className):
            "@Entity class '\(className)' can't inherit from '\(superclass)': its superclass must be NSManagedObject or another @Entity class"
        case .genericEntity(let className):
            "@Entity class '\(className)' can't be generic: an entity has one class"
        case .entityNameNotLiteral:
            "the entity name in @Entity must be a string literal"
        case .groupNotKeyPaths(let macro):
            "#\(macro) takes arrays of key paths, written out: #\(macro)<Movie>([\\.title, \\.year])"
        case .letProperty(let name):
            "managed property '\(name)' can't be a 'let': its value comes from the store; write 'private(set) var' instead"
        case .missingType(let name):
            "managed property '\(name)' needs a type annotation"
        case .severalBindings:
            "declare each managed property on its own: 'var a: Int' and 'var b: Int', not 'var a: Int, b: Int'"
        case .observedProperty(let name):
            "managed property '\(name)' can't have observers: use NSManagedObject's didChangeValue(forKey:) instead"
        case .reservedName(let name):
            "a managed property can't be called '\(name)': NSManagedObject or Swift has that name; call it '\(name)_' and keep the stored name"
        case .duplicateStoredName(let name):
            "another property of the class is stored as '\(name)' already"
        case .unsupportedType(let name, let type):
            "managed property '\(name)' can't have the type '\(type)': use @Attribute(.codable) or @Attribute(.transformable(by:)), a @Composite struct, or @Ignored for a plain Swift property"
        case .storedNameNotLiteral:
            "the stored name must be a string literal without interpolation"
        case .annotatedComputed(let name, let attribute):
            "@\(attribute) has no meaning for the computed property '\(name)'"
        case .annotatedUnmanaged(let attribute):
            "@\(attribute) has no meaning here: static, lazy, weak, unowned and overriding properties do not belong to the entity"
        case .ignoredAndAnnotated(let name, let attribute):
            "property '\(name)' is @Ignored: @\(attribute) has no meaning for it"
        case .ignoredWithoutValue(let name):
            "@Ignored property '\(name)' needs an initial value or an optional type: Core Data makes the objects"
        case .conflictingOptions(let one, let other):
            "an attribute can't be .\(one) and .\(other)"
        case .derivedWithValue(let name, let value):
            "derived attribute '\(name)' can't have the initial value '\(value)': the store computes it"
        case .derivedWithSetter(let name):
            "derived attribute '\(name)' has no setter: the store computes it"
        case .fetchedConstant(let name):
            "fetched property '\(name)' must be a 'var': what it finds may change"
        case .fetchedWithValue(let name, let value):
            "fetched property '\(name)' can't have the initial value '\(value)': its value is what the store finds"
        case .fetchedWithSetter(let name):
            "fetched property '\(name)' has no setter: its value is what the store finds"
        case .fetchedType(let name, let type):
            "fetched property '\(name)' can't have the type '\(type)': it is an array of objects of an @Entity class"
        case .fetchedAndAnnotated(let name, let attribute):
            "property '\(name)' is a fetched property: @\(attribute) has no meaning for it"
        case .optionOnRelationship(let option):
            ".\(option) is for attributes, and a collection is a to-many relationship: use @Relationship, or .codable for a collection of values"
        case .attributeAndRelationship(let name):
            "property '\(name)' can't be both @Attribute and @Relationship"
        case .relationshipOnValue(let name, let type):
            "'\(name)' is an attribute: a relationship leads to an @Entity class, not to \(type)"
        case .countOnToOne(let name):
            "maxCount is for to-many relationships: '\(name)' is a to-one"
        case .inverseNotLiteral:
            "the inverse must be a key path as in '\\Movie.director', the property's name as a string literal, or nil"
        case .missingInverse(let name):
            "relationship '\(name)' leads to its own class and has no inverse; name one, or write '@Relationship(inverse: nil)' if there is none"
        case .compositeNotOnStruct:
            "@Composite belongs on a struct"
        case .genericComposite(let name):
            "@Composite struct '\(name)' can't be generic"
        case .relationshipInComposite(let name):
            "a composite has no relationships: '\(name)' belongs in an @Entity class"
        case .optionInComposite(let option):
            "an element of a composite can't be .\(option)"
        case .constantInComposite(let name):
            "element '\(name)' can't be a 'let' with a value: it is read from the store"
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
        case .managedActorNotOnActor:
            "@ManagedActor belongs on an actor"
        case .managedActorValue(let name, let actor):
            "'\(name)' needs an initial value, or '\(actor)' an initializer of its own, which sets 'managedObjectContext' too"
        }
    }

    var diagnosticID: MessageID {
        let name = Mirror(reflecting: self).children.first?.label ?? "\(self)"
        return MessageID(domain: "TypedObjectsMacros", id: name)
    }

    /// Reports the mistake at a piece of source.
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
