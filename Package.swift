// swift-tools-version: 6.2
import PackageDescription

// A package that depends on this one without the trait "Fetch" clones and compiles no HTTP client, and nothing of the
// program. Without "TLS" either, it compiles no BoringSSL. (SE-0450,
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0450-swiftpm-package-traits.md)
//
// "Fetch" includes "TLS" here and in the sources, and does not enable it: SwiftPM 6.3 passes several traits to the
// compiler in an order that changes, and then compiles everything again.
let fetch = TargetDependencyCondition.when(traits: ["Fetch"])
let tls = TargetDependencyCondition.when(traits: ["Fetch", "TLS"])

let package = Package(
    name: "reach",
    // Linux is tested. The sources are meant to support macOS, but have not been run there; the other systems are untested.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "reach", targets: ["reach"]),
        // The engine for Swift programs.
        .library(name: "ReachKit", targets: ["ReachKit"]),
        // A simulated network and a clock, for the tests of such programs.
        .library(name: "ReachKitTesting", targets: ["ReachKitTesting"]),
        // For Benchmarks/ alone: no promise to anybody else.
        .library(
            name: "_ReachParts",
            targets: ["Dashboard", "Hooks", "LibC", "Monitoring", "Screen", "SettingsFile", "TerminalIO"]
        ),
    ],
    traits: [
        .default(enabledTraits: ["Fetch"]),
        .trait(name: "Fetch", description: "Fetch, and what uses it: the program and the tests. Includes TLS."),
        .trait(name: "TLS", description: "Probes by TLS: tls:, https:, rediss:, STARTTLS."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // `swift package generate-documentation` alone.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // Pure: values in, values out. Scripts/check keeps them so.
        .target(name: "DomainNames"),
        .target(name: "ReachBasics"),
        .target(
            name: "Monitoring",
            dependencies: [
                "DomainNames", "ReachBasics",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ]
        ),
        .target(name: "Screen", dependencies: ["ReachBasics"]),
        .target(name: "Dashboard", dependencies: ["Monitoring", "ReachBasics", "Screen"]),
        .target(name: "Reporting", dependencies: ["Monitoring", "ReachBasics"]),

        // The C library: Glibc, Musl or Darwin, and what Swift's modules of them leave out.
        .target(name: "LibC"),
        .systemLibrary(name: "CCapabilities"),
        .systemLibrary(name: "CEpoll"),

        // The commit of the sources, which `make` passes. Only this file is compiled again for another commit.
        .target(
            name: "CCommit",
            cSettings: Context.environment["REACH_COMMIT"].map { [.define("REACH_COMMIT", to: "\"\($0)\"")] }
        ),

        // C++'s `delete`, for what the TOML parser allocates.
        .target(name: "CDelete"),

        // Edges: each touches one part of the world, and none imports another.
        .target(
            name: "SettingsFile",
            dependencies: [
                "CDelete", "LibC", "Monitoring", "ReachBasics",
                .product(name: "TOMLKit", package: "TOMLKit", condition: fetch),
                .product(name: "Yams", package: "Yams", condition: fetch),
            ]
        ),
        .target(
            name: "Probing",
            dependencies: [
                "CCapabilities", "CEpoll", "LibC", "Monitoring", "ReachBasics",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: tls),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: fetch),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: tls),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1", condition: tls),
            ]
        ),
        .target(
            name: "Hooks",
            dependencies: [
                "LibC", "Monitoring",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess", condition: fetch),
            ]
        ),
        .target(
            name: "History",
            dependencies: [
                "LibC", "Monitoring", "ReachBasics", .product(name: "GRDB", package: "GRDB.swift", condition: fetch),
            ]
        ),
        // The HTTP client is passed in.
        .target(name: "Fleet", dependencies: ["Monitoring", "ReachBasics"]),
        .target(
            name: "TerminalIO",
            dependencies: [
                "LibC", "ReachBasics", "Screen", .product(name: "Rainbow", package: "Rainbow", condition: fetch),
            ]
        ),

        // The engine for Swift programs, and nothing of the terminal.
        .target(
            name: "ReachKit",
            dependencies: [
                "LibC", "Monitoring", "Probing",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: fetch),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: fetch),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: fetch),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: fetch),
            ],
            exclude: ["API.txt"]
        ),
        .target(name: "ReachKitTesting", dependencies: ["Monitoring", "ReachKit"]),

        // The program: subcommands and wiring.
        .executableTarget(
            name: "reach",
            dependencies: [
                "CCapabilities", "CCommit", "Dashboard", "Fleet", "History", "Hooks", "LibC", "Monitoring", "Probing",
                "ReachBasics", "ReachKit", "Reporting", "Screen", "SettingsFile", "TerminalIO",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: fetch),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms", condition: fetch),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: fetch),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: fetch),
            ],
            // A link to the sample: what `reach init` writes is part of the program.
            resources: [.embedInCode("Init/dashboard.toml")]
        ),

        .target(
            name: "TestSupport",
            dependencies: [
                "LibC", "Monitoring", "ReachBasics",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/TestSupport"
        ),
        .testTarget(name: "DomainNamesTests", dependencies: ["DomainNames"]),
        .testTarget(name: "ReachBasicsTests", dependencies: ["ReachBasics"]),
        .testTarget(name: "LibCTests", dependencies: ["LibC"]),
        .testTarget(name: "MonitoringTests", dependencies: ["Monitoring", "TestSupport"], exclude: ["Stories"]),
        .testTarget(name: "ScreenTests", dependencies: ["Screen", "TestSupport"]),
        .testTarget(
            name: "DashboardTests",
            dependencies: ["Dashboard", "Monitoring", "Screen", "TestSupport"],
            exclude: ["Golden", "Triples"]
        ),
        .testTarget(name: "ReportingTests", dependencies: ["Monitoring", "Reporting", "TestSupport"]),
        .testTarget(
            name: "SettingsFileTests",
            dependencies: ["LibC", "Monitoring", "SettingsFile", "TestSupport"],
            exclude: ["Invalid"]
        ),
        .testTarget(
            name: "ProbingTests",
            dependencies: [
                "LibC", "Monitoring", "Probing", "ReachBasics", "SettingsFile", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: fetch),
                .product(name: "SwiftASN1", package: "swift-asn1", condition: fetch),
            ]
        ),
        .testTarget(
            name: "HistoryTests",
            dependencies: [
                "History", "LibC", "Monitoring", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: fetch),
            ]
        ),
        .testTarget(name: "FleetTests", dependencies: ["Fleet", "Monitoring", "TestSupport"]),
        .testTarget(name: "HooksTests", dependencies: ["Hooks", "LibC", "Monitoring", "TestSupport"]),
        .testTarget(
            name: "ReachKitTests",
            dependencies: [
                "Monitoring", "Probing", "ReachKit", "ReachKitTesting", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: fetch),
            ]
        ),
        .testTarget(name: "TerminalIOTests", dependencies: ["LibC", "Screen", "TerminalIO", "TestSupport"]),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "Dashboard", "History", "LibC", "Monitoring", "Probing", "ReachKit", "Reporting", "Screen",
                "SettingsFile", "TerminalIO", "TestSupport", "reach",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: fetch),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms", condition: fetch),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
    ]
)

#if os(Linux)
// They drive the program by what Linux has: network namespaces, /proc, pseudoterminals.
package.targets.append(
    .testTarget(
        name: "EndToEndTests",
        dependencies: ["Dashboard", "Monitoring", "Reporting", "Screen", "TerminalIO", "TestSupport", "reach"]
    )
)
#endif

// One language for every target; each feature is a step that a later language mode takes by itself.
for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .swiftLanguageMode(.v6),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
            .enableUpcomingFeature("ExistentialAny"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
            .enableUpcomingFeature("InternalImportsByDefault"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
    // In Probing, the compiler (6.3) sometimes takes the members of C's socket addresses for those of a C module of SwiftNIO,
    // depending on which files it compiles together.
    guard target.name != "Probing" else { continue }
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    target.swiftSettings?.append(.enableUpcomingFeature("MemberImportVisibility"))
}
