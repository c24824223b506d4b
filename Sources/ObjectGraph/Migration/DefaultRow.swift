import DataModel
import Foundation
import Storage

/// The row of an object that has nothing but the default values of its model.
enum DefaultRow {
    /// - Throws: 1560 if a transformer can't make bytes of a default value.
    static func make(_ layout: EntityLayout, _ runtime: ModelRuntime) throws -> Row {
        let row = runtime.templates[layout.index].makeDraft()
        for (slot, place) in layout.slots.enumerated() where place.kind == .transformable && !row.isNil(slot) {
            guard let box = Row.box(row.slots, slot), let attribute = place.attribute else { continue }
            let data = try TransformableCoding.data(from: box.value, of: attribute)
            row.setBoxed(slot, StoredBytes(data: data))
        }
        return row
    }
}
