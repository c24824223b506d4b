import Foundation

/// Which objects to use, in one of the forms that a program can write.
enum ObjectCondition<Object: TypedObject> {
    case all
    case predicate(Predicate<Object>)
    case keys(TypedPredicate<Object>)

    init(_ predicate: Predicate<Object>?) { self = predicate.map(Self.predicate) ?? .all }

    init(_ predicate: TypedPredicate<Object>) { self = .keys(predicate) }
}
