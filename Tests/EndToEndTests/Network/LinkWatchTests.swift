import Foundation
import TestSupport
import Testing

/// `reach watch` in a network namespace whose link goes down.
@Suite(
    .serialized,
    .live,
    .serialized,
    .timeLimit(.minutes(1)),
    .enabled(if: Cable.canBeMade, "network namespaces cannot be made here: needs root and iproute2")
) struct LinkWatchTests {
    private let targets = ["link:v0", "link:any", "198.51.100.1"]

    @Test func `loss and return of the carrier are reported at once`() async throws {
        let cable = try Cable()
        let watch = try WatchProcess(cable, "link:v0", "link:any", "route://198.51.100.1")
        for target in targets { try await watch.waitForLine("\(target)  up", within: .seconds(10)) }

        try cable.ip("link", "set", "v1", "down")
        let problems = ["v0 has no carrier", "no outbound interface is up", "v0 has no carrier"]
        for (target, problem) in zip(targets, problems) {
            try await watch.waitForLine("\(target)  down after 1 loss: \(problem)", within: Self.atOnce)
        }
        try cable.ip("link", "set", "v1", "up")
        for target in targets { try await watch.waitForLine("\(target)  up after", within: Self.atOnce) }
    }

    @Test func `a disabled interface and a lost route are reported at once`() async throws {
        let cable = try Cable()
        let watch = try WatchProcess(cable, "link:v0", "link:any", "route://198.51.100.1")
        for target in targets { try await watch.waitForLine("\(target)  up", within: .seconds(10)) }

        try cable.ip("route", "del", "default")
        try await watch.waitForLine("198.51.100.1  down after 1 loss: network unreachable", within: Self.atOnce)
        try cable.ip("link", "set", "v0", "down")
        try await watch.waitForLine("link:v0  down after 1 loss: v0 is down", within: Self.atOnce)
        try cable.ip("link", "del", "v0")
        try cable.makeLink()
        try await watch.waitForLine("link:v0  up after", within: Self.atOnce)
        try await watch.waitForLine("link:any  up after", within: Self.atOnce)
    }

    @Test func `without a carrier, dependants of the link are blocked and never down`() async throws {
        let cable = try Cable()
        let path = NSTemporaryDirectory() + "reach-link-\(UInt32.random(in: .min ... .max)).toml"
        defer { unlink(path) }
        // One loss takes a target down, and without an interface it occurs at once.
        let settings = """
            [defaults]
            interval = "100ms"
            fall = 1
            [[target]]
            name = "Here"
            url = "icmp://192.0.2.1"
            depends_on = "link"
            [[target]]
            name = "Beyond"
            url = "tcp://192.0.2.1:9"
            depends_on = "Here"
            """
        try Data(settings.utf8).write(to: URL(filePath: path))
        let watch = try WatchProcess(cable, "--json", "--config", path)
        try await watch.waitForLines(with: #""to":"up""#, within: .seconds(10))
        try await watch.waitForLines(with: #""target":"Beyond""#, within: .seconds(10))
        for round in 1...3 {
            try cable.ip("link", "del", "v0")
            try await watch.waitForLines(
                with: #""blocked_by":"link","target":"Here""#,
                count: round,
                within: Self.atOnce
            )
            try await Task.sleep(for: .milliseconds(500))
            try cable.makeLink()
            // The default route is reported after its last change, at most once a second.
            try await watch.waitForLines(with: #""type":"unblocked","url":"icmp"#, count: round, within: .seconds(2))
        }
        try await Task.sleep(for: .milliseconds(500))
        let verdicts = watch.text.split(separator: "\n").filter {
            $0.contains(#""target":"Here""#) && $0.contains(#""to":"#)
        }
        #expect(verdicts.count == 1, "\(watch.text)")
    }

    @Test func `all targets are probed when the network returns`() async throws {
        let cable = try Cable()
        try cable.ip("link", "del", "v0")
        let path = NSTemporaryDirectory() + "reach-link-\(UInt32.random(in: .min ... .max)).toml"
        defer { unlink(path) }
        // With an interval of an hour, only the return of the network causes a probe.
        let settings = """
            [[target]]
            name = "Here"
            url = "icmp://192.0.2.1"
            interval = "1h"
            fall = 1
            """
        try Data(settings.utf8).write(to: URL(filePath: path))
        let watch = try WatchProcess(cable, "--config", path)
        try await watch.waitForLine("Here  down after 1 loss", within: .seconds(10))
        try cable.makeLink()
        try await watch.waitForLine("Here  up after", within: Self.atOnce)
    }

    /// The time limit of an immediate report: enough for the kernel, two cores and a debug build. The engine's own part
    /// is a few milliseconds.
    private static let atOnce = Duration.milliseconds(200)
}

/// A network namespace with one veth pair, from `v0` (192.0.2.1) to `v1`. Releasing the last reference deletes it.
private final class Cable: Sendable {
    static let canBeMade = (try? Cable()) != nil

    let network = "reach-link-\(UInt32.random(in: .min ... .max))"

    init() throws {
        try Self.run("ip", "netns", "add", network)
        try ip("link", "set", "lo", "up")
        try makeLink()
        try ip("route", "add", "default", "via", "192.0.2.9")
    }

    deinit {
        try? Self.run("ip", "netns", "del", network)
    }

    func makeLink() throws {
        try ip("link", "add", "v0", "type", "veth", "peer", "name", "v1")
        try ip("address", "add", "192.0.2.1/24", "dev", "v0")
        try ip("link", "set", "v0", "up")
        try ip("link", "set", "v1", "up")
    }

    func ip(_ words: String...) throws {
        try Self.run(["ip", "-n", network] + words)
    }

    private static func run(_ words: String...) throws {
        try run(words)
    }

    private static func run(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw WatchFailure(description: words.joined(separator: " ")) }
    }
}

/// `reach watch` in a cable's network, and its output. Releasing the last reference ends it.
private final class WatchProcess {
    private let process = Process()
    private let output = NSTemporaryDirectory() + "reach-watch-\(UInt32.random(in: .min ... .max))"

    init(_ cable: Cable, _ words: String...) throws {
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["ip", "netns", "exec", cable.network, Self.program, "watch"] + words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        unlink(output)
    }

    /// Waits for a line with this text.
    func waitForLine(_ words: String, within limit: Duration) async throws {
        try await waitForLines(with: "  \(words)", within: limit)
    }

    /// Waits for a number of lines with this text.
    func waitForLines(with words: String, count: Int = 1, within limit: Duration) async throws {
        let deadline = ContinuousClock.now + limit
        while text.split(separator: "\n").count(where: { $0.contains(words) }) < count {
            guard ContinuousClock.now < deadline else {
                throw WatchFailure(description: "\(count) of \"\(words)\" not within \(limit):\n\(text)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The complete output.
    var text: String {
        String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
    }

    /// The path of the built program, next to the test bundle.
    private static var program: String {
        var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let path = folder.appending(path: "reach").path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue { return path }
        }
        return "reach"
    }
}

/// A line that did not appear in time, or a command that failed.
private struct WatchFailure: Error, CustomStringConvertible {
    let description: String
}

extension EndToEnd {
    /// A delayed link and a broken link.
    @Suite(
        .serialized,
        .enabled(if: Machine.hasTmux, "tmux is not installed"),
        .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here")
    ) struct LinkTests {
        private let scratch: Scratch
        private let near: Namespace
        private let far: Namespace

        init() throws {
            scratch = try Scratch()
            near = try Namespace()
            far = try Namespace()
            try near.connect(to: far)
        }

        private func screen() throws -> Screen {
            let settings = """
                [[target]]
                name = "Far"
                url = "icmp://192.0.2.2"
                interval = "300ms"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            return try Screen(near.words(Program.path, "--config", path).joined(separator: " "), in: scratch)
        }

        @Test(.enabled(if: Machine.canDelay, "the kernel has no netem"))
        func `a delay of 40 ms shows in the round trip`() async throws {
            try Tool.must(far.words("tc", "qdisc", "add", "dev", "v0", "root", "netem", "delay", "40ms"))
            let screen = try screen()
            let row = try await screen.wait(forRowWith: "● Far", "up", "ms")
            let figure = try #require(row.firstMatch(of: /(\d+(\.\d+)?)ms/)?.1)
            let milliseconds = try #require(Double(figure))
            #expect((40.0..<60.0).contains(milliseconds))
        }

        @Test func `a target behind a broken link is down, and up again after the repair`() async throws {
            let screen = try screen()
            try await screen.wait(forRowWith: "● Far", "up")
            try far.ip("link", "set", "v0", "down")
            try await screen.wait(forRowWith: "○ Far", "down")
            try far.ip("link", "set", "v0", "up")
            try await screen.wait(forRowWith: "● Far", "up")
        }
    }
}

extension EndToEnd {
    /// Targets at a link-local address whose interface is deleted and created again with another index.
    @Suite(
        .serialized,
        .enabled(if: Machine.canMakeNetworks, "network namespaces are missing"),
        .enabled(if: Machine.canPing, "no ICMP socket may be opened here"),
        .enabled(if: Machine.hasPython, "python3 is not installed")
    ) struct ZoneTests {
        private let scratch: Scratch
        private let near: Namespace
        private let far: Namespace

        init() throws {
            scratch = try Scratch()
            near = try Namespace()
            far = try Namespace()
        }

        /// Connects the networks by `va`, with this index, and `vb`.
        private func connect(index: Int) throws {
            try near.ip(
                ["link", "add", "name", "va", "index", "\(index)", "type", "veth"]
                    + ["peer", "name", "vb", "netns", far.name]
            )
            for (network, name, address) in [(near, "va", "fe80::7/64"), (far, "vb", "fe80::2/64")] {
                try network.ip("address", "add", address, "dev", name, "nodad")
                try network.ip("link", "set", name, "up")
            }
        }

        private static let settings = """
            [defaults]
            timeout = "300ms"
            fall = 2
            rise = 1
            [[target]]
            name = "Echo"
            url = "icmp://fe80::2%va"
            interval = "300ms"
            [[target]]
            name = "Port"
            url = "tcp://[fe80::2%va]:7000"
            interval = "300ms"
            [[target]]
            name = "Held"
            url = "session://[fe80::2%va]:7000"
            interval = "300ms"
            [[target]]
            name = "From"
            url = "icmp://fe80::2%va"
            source = "fe80::7%va"
            interval = "300ms"
            """
        private static let names = ["Echo", "Port", "Held", "From"]

        /// A script that accepts and holds connections.
        private static let server = """
            import socket
            server = socket.create_server(("::", 7000), family=socket.AF_INET6, backlog=100)
            held = []
            while True:
                held.append(server.accept())
            """

        @Test func `targets on a recreated interface come up again`() async throws {
            let server = try Child(
                far.words("/usr/bin/python3", "-c", Self.server),
                in: scratch.path,
                streams: .files(output: "/dev/null", errors: "/dev/null")
            )
            let path = try scratch.write(Self.settings, to: "settings.toml")
            let child = try scratch.start(near.words(Program.path, "watch", "--config", path))
            let output = { scratch.text(of: "out") + scratch.text(of: "err") }
            func wait(for texts: String..., count: Int) async throws {
                for name in Self.names {
                    try await eventually("\(name)  \(texts), \(count) times", context: output) {
                        scratch.lines(of: "out").count { line in
                            texts.contains { line.contains("\(name)  \($0)") }
                        } >= count
                    }
                }
            }
            try await wait(for: "down after 2 losses: va does not exist", count: 1)
            for (round, index) in [102, 103, 104].enumerated() {
                try connect(index: index)
                try await wait(for: "up", count: round + 1)
                try near.ip("link", "del", "va")
                // The first reason stays, which for a probe in flight may be that the network is unreachable.
                let down = "down after 2 losses: "
                try await wait(for: down + "va does not exist", down + "network unreachable", count: round + 2)
            }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            withExtendedLifetime(server) {}
        }
    }
}
