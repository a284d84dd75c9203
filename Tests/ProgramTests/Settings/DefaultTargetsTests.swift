import Foundation
import ReachMonitoring
import ReachProbing
import Testing

@testable import reach

struct DefaultTargetsTests {
    @Test func `the uplink, gateways, resolvers and the route out are shown`() {
        let servers = LocalServers(gateways: ["192.0.2.1", "fe80::1%eth0"], resolvers: ["2001:db8::53"])
        let urls = DefaultTargets.targets(for: servers).map { "\($0.name): \($0.question.url)" }
        #expect(
            urls == [
                "Uplink: link:any", "Gateway IPv4: icmp://192.0.2.1",
                "Gateway IPv6: icmp://[fe80::1%eth0]", "Resolver: dns://[2001:db8::53]/example.com?type=A",
                "Way out: route://9.9.9.9",
            ]
        )
    }

    @Test func `several resolvers of a family are numbered`() {
        let servers = LocalServers(gateways: [], resolvers: ["192.0.2.1", "192.0.2.2"])
        #expect(DefaultTargets.targets(for: servers).map(\.name) == ["Uplink", "Resolver 1", "Resolver 2", "Way out"])
    }

    @Test func `without gateways and resolvers, the link and the route remain`() {
        let names = DefaultTargets.targets(for: LocalServers(gateways: [], resolvers: [])).map(\.name)
        #expect(names == ["Uplink", "Way out"])
    }

    @Test func `only the dashboard starts without a file`() throws {
        let nowhere = ["HOME": "/none"]
        func source(_ arguments: [String] = [], config: String? = nil, mayLackFile: Bool = true) throws -> TargetSource
        {
            try TargetSource(
                arguments: arguments,
                config: config,
                environment: nowhere,
                currentDirectory: "/none",
                mayLack: mayLackFile ? [.file] : []
            )
        }
        let first = try source()
        #expect(first.isFirstRun && first.name == "this machine")
        #expect(try first.settings().targets.contains { $0.name == "Uplink" })
        #expect(throws: StartupError.self) { try source(mayLackFile: false) }
        #expect(throws: StartupError.self) { try source(config: "/none/a.toml") }
        #expect(throws: StartupError.self) { try source(["@NAS"]) }
    }

    @Test func `a file that appears later is read by the next reload`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "first-\(UUID().uuidString)")
        let settings = folder.appending(path: ".config/reach")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try TargetSource(
            arguments: [],
            config: nil,
            environment: ["HOME": folder.path],
            currentDirectory: folder.path,
            mayLack: [.file]
        )
        let file = settings.appending(path: "dashboard.toml")
        try "[[target]]\nname = \"NAS\"\nurl = \"tcp://nas:445\"\n".write(to: file, atomically: true, encoding: .utf8)
        #expect(try source.settings().targets.map(\.name) == ["NAS"])
    }

    @Test func `an interval of the command line replaces the others, and the times that follow from them`() throws {
        let source = try TargetSource(
            arguments: ["192.0.2.1", "192.0.2.1:22"],
            config: nil,
            environment: [:],
            overrides: .init(interval: .milliseconds(200))
        )
        let targets = try source.settings().targets
        #expect(targets.map(\.interval) == [.milliseconds(200), .milliseconds(200)])
        #expect(targets.map(\.timeout) == [.seconds(1), .milliseconds(200)])
        #expect(targets.map(\.retryInterval) == [.milliseconds(200), .milliseconds(200)])
    }
}
