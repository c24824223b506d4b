import SwiftSyntax

/// The visibility of a declaration, ordered from the narrowest.
enum AccessLevel: Int, Comparable {
    case `private`
    case `fileprivate`
    case `internal`
    case package
    case `public`
    case open

    static func < (lhs: AccessLevel, rhs: AccessLevel) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The level in the modifiers; `internal` if they have none. `private(set)` and its like concern the setter and
    /// don't count.
    init(_ modifiers: DeclModifierListSyntax) {
        self = .internal
        for modifier in modifiers where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.private): self = .private
            case .keyword(.fileprivate): self = .fileprivate
            case .keyword(.internal): self = .internal
            case .keyword(.package): self = .package
            case .keyword(.public): self = .public
            case .keyword(.open): self = .open
            default: continue
            }
        }
    }

    /// The modifier for a generated member, followed by a space; empty if none is needed.
    var modifier: String {
        switch self {
        case .private, .fileprivate, .internal: ""
        case .package: "package "
        case .public: "public "
        case .open: "open "
        }
    }
}
