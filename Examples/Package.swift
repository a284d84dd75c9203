// swift-tools-version: 6.2
import PackageDescription

// Programs that use ReachKit from another package. Run one with `swift run --package-path Examples reachable`.
let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        // A program of your own adds `traits: ["Fetch"]`. Without, these share the build of the repository.
        .package(name: "reach", path: ".."),
        // For `service` alone.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        "first", "reachable", "changes", "once", "fetch", "requests", "connection", "many", "network",
    ].map { name in
        .executableTarget(
            name: name,
            dependencies: [.product(name: "ReachKit", package: "reach")],
            // The default in a later language mode: importing ReachKit must be enough to use its API.
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]
        )
    } + [
        .executableTarget(
            name: "service",
            dependencies: [
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ReachKit", package: "reach"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        )
    ]
)
