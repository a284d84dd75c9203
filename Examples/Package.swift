// swift-tools-version: 6.2
import PackageDescription

// Programs of strangers: what ReachKit is to a package that is not this one. `swift run --package-path Examples reachable`.
let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "reach", path: "..")],
    targets: ["reachable", "changes", "once", "fetch", "connection", "many", "network"].map { name in
        .executableTarget(
            name: name,
            dependencies: [.product(name: "ReachKit", package: "reach")],
            // What a later language mode takes for granted: ReachKit has to do for all that it speaks of.
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]
        )
    }
)
