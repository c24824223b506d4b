// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

// The macro plugin needs SwiftSyntax. A checkout builds in seconds with the copy inside the toolchain, which takes unsafe
// flags. SwiftPM refuses these in a package required by version. So the package uses the ordinary swift-syntax package if it
// is a dependency, if OPENCOREDATA_SWIFT_SYNTAX is set, or if the toolchain has no such copy. `Context.packageDirectory` tells
// whether it is a dependency.
let hostLibraries: String? = {
    let isDependency = Context.packageDirectory == "/" || Context.packageDirectory.contains("/checkouts/")
    guard !isDependency, Context.environment["OPENCOREDATA_SWIFT_SYNTAX"] == nil,
        let maps = FileHandle(forReadingAtPath: "/proc/self/maps")?.readDataToEndOfFile()
    else { return nil }
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
        guard let path = line.firstIndex(of: "/"), let end = line.range(of: "/lib/swift/pm/ManifestAPI/") else { continue }
        let host = line[path..<end.lowerBound] + "/lib/swift/host"
        if FileManager.default.fileExists(atPath: host + "/SwiftSyntaxMacros.swiftmodule") { return String(host) }
    }
    return nil
}()

let toolchainModules = [
    "SwiftSyntax", "SwiftSyntaxMacros", "SwiftSyntaxBuilder", "SwiftCompilerPluginMessageHandling", "SwiftDiagnostics",
    "SwiftSyntaxMacroExpansion", "SwiftParser", "SwiftParserDiagnostics", "SwiftOperators", "SwiftBasicFormat",
]
let macroSwiftSettings: [SwiftSetting] = hostLibraries.map { [.unsafeFlags(["-I\($0)"])] } ?? []
let macroLinkerSettings: [LinkerSetting] =
    hostLibraries.map { host in
        [.unsafeFlags(["-L\(host)", "-Xlinker", "-rpath", "-Xlinker", host] + toolchainModules.map { "-l\($0)" })]
    } ?? []
let macroDependencies: [Target.Dependency] =
    hostLibraries == nil
    ? ["SwiftSyntax", "SwiftSyntaxMacros", "SwiftSyntaxBuilder", "SwiftDiagnostics", "SwiftParser", "SwiftCompilerPlugin"]
        .map { .product(name: $0, package: "swift-syntax") }
    : []
let portingDependencies: [Target.Dependency] =
    hostLibraries == nil
    ? ["SwiftSyntax", "SwiftDiagnostics", "SwiftParser", "SwiftParserDiagnostics"]
        .map { .product(name: $0, package: "swift-syntax") }
    : []

// Sources that need Objective-C. A plugin compiles copies of them, as in an app's package on Linux.
let portedSources = ["Model"]
let movingInSources = ["Model", "Patterns"]

// With OPENCOREDATA_CHECKS set, contexts check after each change that they don't contradict themselves.
let graphSettings: [SwiftSetting] = Context.environment["OPENCOREDATA_CHECKS"] == nil ? [] : [.define("OPENCOREDATA_CHECKS")]

let package = Package(
    name: "OpenCoreData",
    // The libraries are built and tested only on Linux. An app's package that has the plugins builds their tools on a Mac,
    // too, which has not been tried.
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "OpenCoreData", targets: ["OpenCoreData"]),
        .library(name: "OpenCoreDataTestSupport", targets: ["OpenCoreDataTestSupport"]),
        .library(name: "CoreData", targets: ["CoreData"]),
        .plugin(name: "PortedCoreDataSources", targets: ["PortedCoreDataSources"]),
        .plugin(name: "CoreDataModels", targets: ["CoreDataModels"]),
        .executable(name: "coredata-port", targets: ["coredata-port"]),
        .executable(name: "coredata", targets: ["coredata"]),
    ],
    dependencies: hostLibraries == nil
        ? [.package(url: "https://github.com/swiftlang/swift-syntax.git", "602.0.0"..<"700.0.0")] : [],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CSwiftRuntime"),
        .target(name: "FoundationGaps", dependencies: ["CSwiftRuntime"]),
        .target(name: "Predicates", dependencies: ["CSwiftRuntime", "FoundationGaps"]),
        .target(name: "DataModel", dependencies: ["FoundationGaps", "Predicates"]),
        .target(name: "Storage", dependencies: ["Predicates", "DataModel"]),
        .target(name: "MemoryStorage", dependencies: ["Predicates", "DataModel", "Storage"]),
        .target(name: "SQLiteStorage", dependencies: ["CSQLite", "FoundationGaps", "Predicates", "DataModel", "Storage"]),
        .target(
            name: "ObjectGraph",
            dependencies: [
                "CSwiftRuntime", "FoundationGaps", "Predicates", "DataModel", "Storage", "MemoryStorage", "SQLiteStorage",
            ], swiftSettings: graphSettings),
        .target(name: "LiveQueries", dependencies: ["Predicates", "DataModel", "Storage", "ObjectGraph"]),
        .macro(
            name: "TypedObjectsMacros", dependencies: macroDependencies, swiftSettings: macroSwiftSettings,
            linkerSettings: macroLinkerSettings),
        .target(
            name: "TypedObjects",
            dependencies: [
                "FoundationGaps", "Predicates", "DataModel", "Storage", "ObjectGraph", "LiveQueries", "TypedObjectsMacros",
            ]),
        .target(
            name: "OpenCoreData",
            dependencies: ["FoundationGaps", "Predicates", "DataModel", "ObjectGraph", "LiveQueries", "TypedObjects"]),
        // The same under the name that code for Apple's framework imports. It is declared on every system, and is empty on
        // Apple's, where nothing of this package is built for it.
        .target(
            name: "CoreData",
            dependencies: [
                .target(name: "OpenCoreData", condition: .when(platforms: [.linux, .android, .windows, .wasi, .openbsd]))
            ]),

        .target(name: "SeededRandom"),
        .target(
            name: "OpenCoreDataTestSupport",
            dependencies: ["DataModel", "ObjectGraph", "OpenCoreData", "SeededRandom", "TypedObjects"]),

        // No other target depends on the following ones. They are built if a plugin or the command is used.
        .target(
            name: "SourcePorting", dependencies: portingDependencies, swiftSettings: macroSwiftSettings,
            linkerSettings: macroLinkerSettings),
        .executableTarget(name: "port-source", dependencies: ["SourcePorting"], swiftSettings: macroSwiftSettings),
        // On a Mac, where Xcode compiles models, the tool does nothing, and needs nothing that is only tried on Linux.
        .executableTarget(
            name: "compile-model",
            dependencies: [
                .target(name: "DataModel", condition: .when(platforms: [.linux, .android, .windows, .wasi, .openbsd]))
            ]),
        .executableTarget(
            name: "coredata-port", dependencies: ["DataModel", "SourcePorting"], swiftSettings: macroSwiftSettings),
        .target(name: "ModelTools", dependencies: ["Predicates", "DataModel", "ObjectGraph"]),
        .executableTarget(name: "coredata", dependencies: ["ModelTools"]),
        .plugin(name: "PortedCoreDataSources", capability: .buildTool(), dependencies: ["port-source"]),
        .plugin(name: "CoreDataModels", capability: .buildTool(), dependencies: ["compile-model"]),

        .executableTarget(name: "save-loop", dependencies: ["OpenCoreData"], path: "Tests/SaveLoop"),
        .executableTarget(name: "static-program", dependencies: ["OpenCoreData"], path: "Tests/StaticProgram"),
        .executableTarget(name: "cinema-demo", dependencies: ["OpenCoreData"], path: "Examples/CinemaDemo"),
        .target(name: "CSVStore", dependencies: ["OpenCoreData"], path: "Examples/CSVStore"),

        // The same sources in both modes of the language; the second folder is a link to the first.
        .executableTarget(
            name: "moving-in-swift6", dependencies: ["CoreData"], path: "Tests/MovingIn", exclude: movingInSources,
            plugins: ["PortedCoreDataSources", "CoreDataModels"]),
        .executableTarget(
            name: "moving-in-swift5", dependencies: ["CoreData"], path: "Tests/MovingInSwift5", exclude: movingInSources,
            swiftSettings: [.swiftLanguageMode(.v5)], plugins: ["PortedCoreDataSources", "CoreDataModels"]),

        // An app's model layer as Xcode writes it.
        .target(
            name: "Museum", dependencies: ["CoreData"], path: "Tests/Museum", exclude: portedSources,
            swiftSettings: [.swiftLanguageMode(.v5)], plugins: ["PortedCoreDataSources", "CoreDataModels"]),

        // What `coredata generate` writes for the model of that layer.
        .target(name: "GeneratedMuseum", dependencies: ["OpenCoreData"], path: "Tests/GeneratedMuseum"),

        .target(
            name: "TestSupport", dependencies: ["CSQLite", "DataModel", "SeededRandom", "Storage"], path: "Tests/TestSupport"),
        .target(
            name: "GraphTestSupport", dependencies: ["Predicates", "DataModel", "Storage", "ObjectGraph", "TestSupport"],
            path: "Tests/GraphTestSupport"),
        .target(name: "PredicateFuzz", dependencies: ["Predicates", "TestSupport"], path: "Tests/PredicateFuzz"),
        .executableTarget(name: "attack", dependencies: ["OpenCoreData", "TestSupport"], path: "Tests/Attack"),
        .executableTarget(name: "fuzz-formats", dependencies: ["PredicateFuzz", "TestSupport"], path: "Tests/FuzzFormats"),
        .testTarget(name: "FoundationGapsTests", dependencies: ["FoundationGaps", "TestSupport"]),
        .testTarget(name: "PredicatesTests", dependencies: ["Predicates", "PredicateFuzz", "TestSupport"]),
        .testTarget(name: "DataModelTests", dependencies: ["FoundationGaps", "Predicates", "DataModel", "TestSupport"]),
        .testTarget(name: "StorageTests", dependencies: ["DataModel", "MemoryStorage", "Storage", "TestSupport"]),
        .testTarget(name: "MemoryStorageTests", dependencies: ["DataModel", "MemoryStorage", "Storage", "TestSupport"]),
        .testTarget(
            name: "SQLiteStorageTests",
            dependencies: ["CSQLite", "DataModel", "MemoryStorage", "Storage", "SQLiteStorage", "TestSupport"]),
        .testTarget(
            name: "ObjectGraphTests",
            dependencies: [
                "FoundationGaps", "Predicates", "DataModel", "Storage", "ObjectGraph", "GraphTestSupport", "TestSupport",
            ]),
        .testTarget(
            name: "LiveQueriesTests",
            dependencies: ["Predicates", "DataModel", "Storage", "ObjectGraph", "LiveQueries", "GraphTestSupport", "TestSupport"]),
        .testTarget(
            name: "TypedObjectsMacrosTests", dependencies: ["TypedObjectsMacros"], exclude: ["Snapshots"],
            swiftSettings: macroSwiftSettings,
            linkerSettings: macroLinkerSettings),
        .testTarget(
            name: "SourcePortingTests", dependencies: ["SourcePorting", "TestSupport"], swiftSettings: macroSwiftSettings),
        .testTarget(
            name: "PortingToolsTests",
            dependencies: ["coredata-port", "port-source", "compile-model", "DataModel", "TestSupport"]),
        .testTarget(
            name: "PortedModelTests", dependencies: ["CoreData", "TestSupport"], exclude: portedSources,
            plugins: ["PortedCoreDataSources", "CoreDataModels"]),
        .testTarget(name: "MuseumTests", dependencies: ["CoreData", "Museum", "TestSupport"]),
        .testTarget(name: "MovingInTests", dependencies: ["moving-in-swift5", "moving-in-swift6", "TestSupport"]),
        .testTarget(name: "TypedObjectsTests", dependencies: ["OpenCoreData", "OpenCoreDataTestSupport", "TestSupport"]),
        .testTarget(
            name: "OpenCoreDataTestSupportTests", dependencies: ["OpenCoreData", "OpenCoreDataTestSupport", "TestSupport"]),
        .testTarget(
            name: "ModelToolsTests",
            dependencies: [
                "coredata", "ModelTools", "DataModel", "GeneratedMuseum", "ObjectGraph", "OpenCoreData", "Predicates",
                "TestSupport",
            ]),
        .testTarget(name: "CSVStoreTests", dependencies: ["CSVStore", "OpenCoreData", "TestSupport"]),
        .testTarget(name: "CoreDataTests", dependencies: ["CoreData", "TestSupport"]),
        .testTarget(name: "OpenCoreDataTests", dependencies: ["OpenCoreData", "TestSupport", "save-loop", "attack"]),
    ],
    swiftLanguageModes: [.v6]
)

// The imports of a file show what it uses of other modules, and what it shows of them to its users. Code of apps is compiled as
// apps compile it. Plugins have no settings.
let features: [SwiftSetting] = ["InternalImportsByDefault", "MemberImportVisibility", "ExistentialAny"]
    .map { .enableUpcomingFeature($0) }
let appTargets = [
    "CSVStore", "CSVStoreTests", "moving-in-swift5", "moving-in-swift6", "Museum", "GeneratedMuseum", "PortedModelTests",
]
for target in package.targets where target.type != .plugin && target.type != .system && !appTargets.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + features
}

// `make test ONLY=ObjectGraphTests` builds the test targets named and nothing else that only other tests need.
if let only = Context.environment["OPENCOREDATA_TESTS"]?.split(separator: ","), !only.isEmpty {
    package.targets.removeAll { $0.type == .test && !only.contains(Substring($0.name)) }
}
