import DataModel
import Storage

extension StoreMapping {
    /// Columns of derived attributes for which the store has triggers are read only.
    mutating func markDerivedColumns(triggers: Set<String>) {
        guard !triggers.isEmpty else { return }
        for index in entities.indices {
            for column in entities[index].columns.indices {
                let slot = entities[index].columns[column].slot
                guard let attribute = layout.entities[index].slots[slot].attribute as? NSDerivedAttributeDescription else {
                    continue
                }
                let declaring = attribute.owningEntity?.name ?? ""
                let trigger = DerivedCountTriggers.sourceTrigger(entities[index].table, declaring, attribute.name)
                entities[index].columns[column].isKeptByTriggers = triggers.contains(trigger)
            }
        }
    }
}
