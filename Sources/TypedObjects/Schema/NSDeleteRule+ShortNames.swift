public import DataModel

extension NSDeleteRule {
    /// Nothing happens: the other objects keep their reference. The same as `noActionDeleteRule`.
    public static var noAction: NSDeleteRule { .noActionDeleteRule }
    /// The other objects' inverse is set to nil. The same as `nullifyDeleteRule`.
    public static var nullify: NSDeleteRule { .nullifyDeleteRule }
    /// The other objects are deleted as well. The same as `cascadeDeleteRule`.
    public static var cascade: NSDeleteRule { .cascadeDeleteRule }
    /// The object can't be deleted while there are other objects. The same as `denyDeleteRule`.
    public static var deny: NSDeleteRule { .denyDeleteRule }
}
