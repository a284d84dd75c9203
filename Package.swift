// swift-tools-version: 6.2
import PackageDescription

// A package that depends on this one with the trait "Fetch" clones and compiles nothing that only the program needs. With
// "TLS", it has no HTTP client either, and without a trait no BoringSSL. (SE-0450,
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0450-swiftpm-package-traits.md) SwiftPM leaves out a
// package if a trait guards each of its uses.
//
// "Program" includes "Fetch", and that "TLS", by conditions and definitions, and does not enable it: SwiftPM 6.3 passes
// several traits to the compiler in an order that changes, and then compiles everything again.
let program = TargetDependencyCondition.when(traits: ["Program"])
let fetch = TargetDependencyCondition.when(traits: ["Program", "Fetch"])
let tls = TargetDependencyCondition.when(traits: ["Program", "Fetch", "TLS"])

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
            targets: [
                "ReachDashboard", "ReachHooks", "ReachMonitoring", "ReachScreen", "ReachSettings", "ReachSystem",
                "ReachTerminal",
            ]
        ),
    ],
    traits: [
        .default(enabledTraits: ["Program"]),
        .trait(name: "Program", description: "The program and the tests. Includes Fetch."),
        .trait(name: "Fetch", description: "Fetch, the HTTP client. Includes TLS."),
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
        .target(name: "ReachBasics"),
        .target(
            name: "ReachMonitoring",
            dependencies: [
                "ReachBasics",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ]
        ),
        .target(name: "ReachScreen", dependencies: ["ReachBasics"]),
        .target(name: "ReachDashboard", dependencies: ["ReachBasics", "ReachMonitoring", "ReachScreen"]),
        .target(name: "ReachReporting", dependencies: ["ReachBasics", "ReachMonitoring"]),

        // The C library: Glibc, Musl or Darwin, and what Swift's modules of them leave out.
        .target(name: "ReachSystem"),
        .systemLibrary(name: "CReachCapabilities"),
        .systemLibrary(name: "CReachEpoll"),

        // The commit of the sources, which `make` passes. Only this file is compiled again for another commit.
        .target(
            name: "CReachCommit",
            cSettings: Context.environment["REACH_COMMIT"].map { [.define("REACH_COMMIT", to: "\"\($0)\"")] }
        ),

        // C++'s `delete`, for what the TOML parser allocates.
        .target(name: "CReachDelete"),

        // Edges: each touches one part of the world, and none imports another.
        .target(
            name: "ReachSettings",
            dependencies: [
                "CReachDelete", "ReachBasics", "ReachMonitoring", "ReachSystem",
                .product(name: "TOMLKit", package: "TOMLKit", condition: program),
                .product(name: "Yams", package: "Yams", condition: program),
            ]
        ),
        .target(
            name: "ReachProbing",
            dependencies: [
                "CReachCapabilities", "CReachEpoll", "ReachBasics", "ReachMonitoring", "ReachSystem",
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
            name: "ReachHooks",
            dependencies: [
                "ReachMonitoring", "ReachSystem",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess", condition: program),
            ]
        ),
        .target(
            name: "ReachHistory",
            dependencies: [
                "ReachSystem", "ReachMonitoring", "ReachBasics",
                .product(name: "GRDB", package: "GRDB.swift", condition: program),
            ]
        ),
        // The HTTP client is passed in.
        .target(name: "ReachFleet", dependencies: ["ReachBasics", "ReachMonitoring"]),
        .target(
            name: "ReachTerminal",
            dependencies: [
                "ReachSystem", "ReachBasics", "ReachScreen",
                .product(name: "Rainbow", package: "Rainbow", condition: program),
            ]
        ),

        // The engine for Swift programs, and nothing of the terminal.
        .target(
            name: "ReachKit",
            dependencies: [
                "ReachBasics", "ReachMonitoring", "ReachProbing", "ReachSystem",
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
        .target(name: "ReachKitTesting", dependencies: ["ReachKit", "ReachMonitoring"], exclude: ["API.txt"]),

        // The program: subcommands and wiring.
        .executableTarget(
            name: "reach",
            dependencies: [
                "CReachCapabilities", "CReachCommit", "ReachBasics", "ReachDashboard", "ReachFleet", "ReachHistory",
                "ReachHooks", "ReachKit", "ReachMonitoring", "ReachProbing", "ReachReporting", "ReachScreen",
                "ReachSettings", "ReachSystem", "ReachTerminal",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: program),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms", condition: program),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: fetch),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: program),
            ],
            // A link to the sample: what `reach init` writes is part of the program.
            resources: [.embedInCode("Init/dashboard.toml")]
        ),

        .target(
            name: "TestSupport",
            dependencies: [
                "ReachBasics", "ReachMonitoring", "ReachSystem",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/TestSupport"
        ),
        .testTarget(name: "ReachBasicsTests", dependencies: ["ReachBasics"]),
        .testTarget(name: "ReachSystemTests", dependencies: ["ReachSystem"]),
        .testTarget(
            name: "ReachMonitoringTests",
            dependencies: ["ReachBasics", "ReachMonitoring", "TestSupport"],
            exclude: ["Stories"]
        ),
        .testTarget(name: "ReachScreenTests", dependencies: ["ReachScreen", "TestSupport"]),
        .testTarget(
            name: "ReachDashboardTests",
            dependencies: ["ReachDashboard", "ReachMonitoring", "ReachScreen", "TestSupport"],
            exclude: ["Golden", "Triples"]
        ),
        .testTarget(name: "ReachReportingTests", dependencies: ["ReachMonitoring", "ReachReporting", "TestSupport"]),
        .testTarget(
            name: "ReachSettingsTests",
            dependencies: ["ReachMonitoring", "ReachSettings", "ReachSystem", "TestSupport"],
            exclude: ["Invalid"]
        ),
        .testTarget(
            name: "ReachProbingTests",
            dependencies: [
                "ReachBasics", "ReachMonitoring", "ReachProbing", "ReachSettings", "ReachSystem", "TestSupport",
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
            name: "ReachHistoryTests",
            dependencies: [
                "ReachHistory", "ReachMonitoring", "ReachSystem", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: program),
            ]
        ),
        .testTarget(name: "ReachFleetTests", dependencies: ["ReachFleet", "ReachMonitoring", "TestSupport"]),
        .testTarget(
            name: "ReachHooksTests",
            dependencies: ["ReachHooks", "ReachMonitoring", "ReachSystem", "TestSupport"]
        ),
        .testTarget(
            name: "ReachKitTests",
            dependencies: [
                "ReachKit", "ReachKitTesting", "ReachMonitoring", "ReachProbing", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: fetch),
            ]
        ),
        .testTarget(
            name: "ReachTerminalTests",
            dependencies: ["ReachScreen", "ReachSystem", "ReachTerminal", "TestSupport"]
        ),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "ReachDashboard", "ReachHistory", "ReachKit", "ReachMonitoring", "ReachProbing", "ReachReporting",
                "ReachScreen", "ReachSettings", "ReachSystem", "ReachTerminal", "TestSupport", "reach",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: program),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms", condition: program),
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
        dependencies: [
            "ReachDashboard", "ReachMonitoring", "ReachReporting", "ReachScreen", "ReachTerminal", "TestSupport",
            "reach",
        ]
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
            .define("Fetch", .when(traits: ["Program"])),
            .define("TLS", .when(traits: ["Program", "Fetch"])),
        ]
    // In Probing, the compiler (6.3) sometimes takes the members of C's socket addresses for those of a C module of SwiftNIO,
    // depending on which files it compiles together.
    guard target.name != "ReachProbing" else { continue }
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    target.swiftSettings?.append(.enableUpcomingFeature("MemberImportVisibility"))
}
