/// Names of Apple's framework that this library does not have, and the features that they belong to.
package enum MissingFeatures {
    /// The features by name.
    package static let names: [String: String] = {
        let features: [String: [String]] = [
            "CloudKit": [
                "NSPersistentCloudKitContainer", "NSPersistentCloudKitContainerOptions",
                "NSPersistentCloudKitContainerEventRequest",
            ],
            "Spotlight": ["NSCoreDataCoreSpotlightDelegate"],
            "documents of AppKit and UIKit": ["NSPersistentDocument", "UIManagedDocument"],
            "SwiftUI's property wrappers": ["FetchRequest", "SectionedFetchRequest"],
            "Combine": ["ObservableObject", "Published", "PassthroughSubject", "CurrentValueSubject", "AnyCancellable"],
        ]
        var names: [String: String] = [:]
        for (feature, members) in features { for name in members { names[name] = feature } }
        return names
    }()
}
