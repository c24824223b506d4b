extension Set {
    /// A set with room for twice its elements: comparing `NSObject`s that collide in the table costs more than the
    /// room.
    package init(sparse elements: some Collection<Element>) {
        self.init(minimumCapacity: elements.count * 2)
        for element in elements { insert(element) }
    }
}
