// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses the library resolves or builds it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "OpenCoreData", path: "..")],
    targets: [
        .systemLibrary(
            name: "CBenchmarkSystem", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(name: "BenchmarkKit", dependencies: ["CBenchmarkSystem"]),
        .executableTarget(
            name: "bench",
            dependencies: ["BenchmarkKit", "CBenchmarkSystem", .product(name: "OpenCoreData", package: "OpenCoreData")]),
    ],
    swiftLanguageModes: [.v6]
)

// Other libraries take part where a checkout of them is named.
if let grdb = Context.environment["BENCHMARKS_GRDB"] {
    package.dependencies.append(.package(name: "GRDB", path: grdb))
    package.targets += [
        // The system's SQLite may be built without snapshots, which GRDB links with.
        .target(name: "CSnapshotStandIns", path: "Peers/CSnapshotStandIns"),
        .executableTarget(
            name: "bench-grdb",
            dependencies: ["BenchmarkKit", "CSnapshotStandIns", .product(name: "GRDB", package: "GRDB")], path: "Peers/GRDB"),
    ]
}
