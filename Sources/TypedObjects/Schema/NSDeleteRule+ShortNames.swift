public import DataModel

extension NSDeleteRule {
    /// Nothing happens. The other objects keep their references. The same as `noActionDeleteRule`.
    public static var noAction: NSDeleteRule { .noActionDeleteRule }
    /// The inverse of the other objects is set to nil. The same as `nullifyDeleteRule`.
    public static var nullify: NSDeleteRule { .nullifyDeleteRule }
    /// The other objects are deleted too. The same as `cascadeDeleteRule`.
    public static var cascade: NSDeleteRule { .cascadeDeleteRule }
    /// The object can't be deleted while there are other objects. The same as `denyDeleteRule`.
    public static var deny: NSDeleteRule { .denyDeleteRule }
}
