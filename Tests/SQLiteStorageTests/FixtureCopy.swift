import DataModel
import Foundation
import Storage
import TestSupport

@testable import SQLiteStorage

/// A copy of one of the stores that Apple's framework wrote, opened.
struct FixtureCopy {
    let fixture: ModeledFixture
    let folder: TemporaryFolder
    let url: URL
    let model: NSManagedObjectModel
    let layout: ModelLayout
    let engine: SQLiteEngine

    init(_ name: String) throws {
        fixture = try ModeledFixture.named(name)
        folder = try TemporaryFolder()
        url = try folder.copyStore(fixture.store)
        model = try fixture.model()
        layout = ModelLayout(model)
        engine = try SQLiteEngine(url: url, model: model, layout: layout, options: StoreSettings())
    }
}
