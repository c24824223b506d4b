/// The limits that a model file sets on an attribute, as texts of the file.
package struct ValidationLimits: Hashable, Sendable {
    /// Smallest number, shortest text, or (for dates) earliest seconds since 2001.
    package var minimum: String?
    /// Greatest number, longest text, or (for dates) latest seconds since 2001.
    package var maximum: String?
    /// A regular expression that a text must match.
    package var regularExpression: String?

    package init(minimum: String? = nil, maximum: String? = nil, regularExpression: String? = nil) {
        self.minimum = minimum
        self.maximum = maximum
        self.regularExpression = regularExpression
    }
}
