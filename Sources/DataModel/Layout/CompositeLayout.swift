/// Where the elements of a composite attribute are: each leaf has a slot of its own.
package struct CompositeLayout: Sendable {
    package enum Element: Sendable {
        case slot(Int)
        case composite(CompositeLayout)
    }

    package let name: String
    package let isOptional: Bool
    package let elements: [(name: String, element: Element)]
}
