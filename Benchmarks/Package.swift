// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the product does not pay for it. `swift package benchmark` in this folder runs all.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "reach", path: ".."),
        // Without its traits: what counts allocations is not at hand everywhere.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "ScreenBenchmarks",
            dependencies: [
                .product(name: "_ReachParts", package: "reach"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/Screen",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        )
    ]
)
