/// Modules that only Apple's systems have.
enum AppleModules {
    /// For which nobody has a stand-in on other systems: code that asks for them is not built there.
    static let systemOnly: Set<String> = [
        "AppKit", "AVFoundation", "BackgroundTasks", "Cocoa", "Contacts", "CoreImage", "CoreText", "Darwin", "EventKit",
        "HealthKit",
        "ImageIO", "Intents", "LocalAuthentication", "MapKit", "MobileCoreServices", "ObjectiveC", "Photos", "QuartzCore",
        "StoreKit",
        "SwiftData", "SwiftUI", "SystemConfiguration", "UIKit", "UserNotifications", "WatchKit", "WebKit", "WidgetKit",
    ]

    /// Those, and others that a package may bring a stand-in for. `CoreData` is neither: this library has a module of that name.
    static let names = systemOnly.union([
        "CloudKit", "Combine", "CommonCrypto", "CoreGraphics", "CoreLocation", "CoreSpotlight", "CryptoKit", "Network", "OSLog",
        "Security",
        "UniformTypeIdentifiers", "os",
    ])
}
