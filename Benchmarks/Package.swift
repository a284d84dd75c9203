// swift-tools-version: 6.2
import PackageDescription

// SwiftPM identifies the package above by the name of its folder.
let identity = Context.packageDirectory.split(separator: "/").dropLast().last.map { $0.lowercased() } ?? "reach"

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
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
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
        .executableTarget(
            name: "Shifts",
            dependencies: [.product(name: "_ReachParts", package: "reach")],
            path: "Shifts",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "CommonCauses",
            dependencies: [.product(name: "_ReachParts", package: "reach")],
            path: "CommonCauses",
            swiftSettings: settings
        ),
        .benchmark(name: "ScreenBenchmarks", path: "Benchmarks/Screen"),
        .benchmark(name: "PartBenchmarks", path: "Benchmarks/Parts"),
        .benchmark(
            name: "CodecBenchmarks",
            path: "Benchmarks/Codecs",
            // The codecs of Sources/ReachProbing, which have package access to the modules below them.
            sources: ["CodecBenchmarks.swift", "DNSFixture.swift", "EchoFixture.swift"]
                + [
                    "DNS/DNSName.swift", "DNS/DNSPacket.swift", "DNS/DNSQuery.swift", "DNS/DNSRecord.swift",
                    "DNS/DNSRecordField.swift", "DNS/DNSRecordLayout.swift", "ICMP/EchoPacket.swift",
                    "Names/IPAddress.swift",
                ]
                .map { "ReachProbing/\($0)" },
            more: [.product(name: "NIOCore", package: "swift-nio")],
            moreSettings: [.unsafeFlags(["-package-name", identity])]
        ),
    ]
)

extension Target {
    /// A benchmark program for `swift package benchmark`.
    static func benchmark(
        name: String,
        path: String,
        sources: [String]? = nil,
        more: [Target.Dependency] = [],
        moreSettings: [SwiftSetting] = []
    ) -> Target {
        .executableTarget(
            name: name,
            dependencies: [
                "Allocations", "Meter",
                .product(name: "_ReachParts", package: "reach"),
                .product(name: "Benchmark", package: "benchmark"),
            ] + more,
            path: path,
            sources: sources,
            // Otherwise, SwiftPM would override the package name of the codecs.
            packageAccess: false,
            swiftSettings: settings + moreSettings,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        )
    }
}
