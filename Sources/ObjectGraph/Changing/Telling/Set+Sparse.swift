extension Set {
    /// A set with room for twice its elements: comparing `NSObject`s that meet in one place of the table costs more than the room.
    init(sparse elements: some Collection<Element>) {
        self.init(minimumCapacity: elements.count * 2)
        for element in elements { insert(element) }
    }
}
