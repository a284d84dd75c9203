// swift-tools-version: 6.2
import PackageDescription

// The settings of ../Package.swift, since some of its sources are linked here.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A separate package, so that the product does not depend on the benchmark library. `swift package benchmark` in this
// folder runs all benchmarks.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "reach", path: ".."),
        // Without its traits: their allocation counter is not available everywhere.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        .target(name: "Allocations", path: "Benchmarks/Allocations"),
        .target(
            name: "Meter",
            dependencies: [
                "Allocations",
                .product(name: "_ReachParts", package: "reach"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/Meter"
        ),
        .executableTarget(
            name: "Counts",
            dependencies: [.product(name: "_ReachParts", package: "reach")],
            // Not in Benchmarks/, since `swift package benchmark` runs every program there.
            path: "Callgrind/Counts",
            swiftSettings: settings
        ),
        .benchmark(name: "ScreenBenchmarks", path: "Benchmarks/Screen"),
        .benchmark(name: "PartBenchmarks", path: "Benchmarks/Parts"),
        .benchmark(
            name: "CodecBenchmarks",
            path: "Benchmarks/Codecs",
            // The imports of Sources/Probing, which is linked into this target.
            more: [
                .product(name: "_CEpoll", package: "reach"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ]
        ),
    ]
)

extension Target {
    /// A benchmark program for `swift package benchmark`.
    static func benchmark(name: String, path: String, more: [Target.Dependency] = []) -> Target {
        .executableTarget(
            name: name,
            dependencies: [
                "Allocations", "Meter",
                .product(name: "_ReachParts", package: "reach"),
                .product(name: "Benchmark", package: "benchmark"),
            ] + more,
            path: path,
            swiftSettings: settings,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        )
    }
}
