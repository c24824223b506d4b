package import ObjectGraph
package import Testing

extension GraphChecker {
    /// Records an issue for everything that contradicts itself in a context.
    package static func check(_ context: NSManagedObjectContext, at location: SourceLocation) {
        for problem in problems(of: context) { Issue.record("graph check: \(problem)", sourceLocation: location) }
    }
}
