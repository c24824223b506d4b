/// Where the elements of a composite attribute are: each leaf has a slot of its own.
package struct CompositeLayout: Sendable {
    package enum Element: Sendable {
        case slot(Int)
        case composite(CompositeLayout)
    }

    package let name: String
    package let isOptional: Bool
    package let elements: [(name: String, element: Element)]

    /// The element with a name.
    package func element(named name: String) -> Element? { elements.first { $0.name == name }?.element }

    /// The slots of all elements, those of nested composites included.
    package var slots: [Int] {
        elements.flatMap { element in
            switch element.element {
            case .slot(let slot): [slot]
            case .composite(let nested): nested.slots
            }
        }
    }
}
