/// What a merge policy does with conflicts, with Apple's raw values.
public enum NSMergePolicyType: UInt, Sendable {
    /// The save fails.
    case errorMergePolicyType = 0
    /// Property by property, what the store has wins.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property, what the context changed wins.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The context's object is written as a whole.
    case overwriteMergePolicyType = 3
    /// The context's changes of the object are dropped.
    case rollbackMergePolicyType = 4
}
