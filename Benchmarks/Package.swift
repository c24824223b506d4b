// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses the library resolves or builds it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "..")],
    targets: [
        .systemLibrary(
            name: "CBenchmarkSystem", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .executableTarget(
            name: "bench", dependencies: ["CBenchmarkSystem", .product(name: "OpenCoreData", package: "OpenCoreData")]),
    ],
    swiftLanguageModes: [.v6]
)
