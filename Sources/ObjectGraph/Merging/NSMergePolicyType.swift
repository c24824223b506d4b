/// The ways of a merge policy to resolve conflicts, with Apple's raw values.
public enum NSMergePolicyType: UInt, Sendable {
    /// The save fails.
    case errorMergePolicyType = 0
    /// Property by property, the store's values win.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property, the context's changes win.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The context's object is written as a whole.
    case overwriteMergePolicyType = 3
    /// The context's changes of the object are dropped.
    case rollbackMergePolicyType = 4
}
