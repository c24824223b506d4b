/// Modules that only Apple's systems have.
enum AppleModules {
    /// Modules without a stand-in on other systems. Code that asks for them is not built there.
    static let systemOnly: Set<String> = [
        "AppKit", "AVFoundation", "BackgroundTasks", "Cocoa", "Contacts", "CoreImage", "CoreText", "Darwin", "EventKit",
        "HealthKit",
        "ImageIO", "Intents", "LocalAuthentication", "MapKit", "MobileCoreServices", "ObjectiveC", "Photos", "QuartzCore",
        "StoreKit",
        "SwiftData", "SwiftUI", "SystemConfiguration", "UIKit", "UserNotifications", "WatchKit", "WebKit", "WidgetKit",
    ]

    /// These modules, and others for which a package may have a stand-in. `CoreData` is not among them, because this
    /// library has a module of that name.
    static let names = systemOnly.union([
        "CloudKit", "Combine", "CommonCrypto", "CoreGraphics", "CoreLocation", "CoreSpotlight", "CryptoKit", "Network", "OSLog",
        "Security",
        "UniformTypeIdentifiers", "os",
    ])
}
