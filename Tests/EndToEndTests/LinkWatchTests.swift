import Foundation
import Testing

/// `reach watch` in a network of its own, whose cable is pulled.
@Suite(
    .serialized,
    .timeLimit(.minutes(1)),
    .enabled(if: Cable.canBeMade, "network namespaces cannot be made here: needs root and iproute2")
) struct LinkWatchTests {
    private let targets = ["link:v0", "link:any", "198.51.100.1"]

    @Test func `a pulled cable shows at once, and so does its return`() async throws {
        let cable = try Cable()
        let watch = try Watching(cable, "link:v0", "link:any", "route://198.51.100.1")
        for target in targets { try await watch.hear("\(target)  up", within: .seconds(10)) }

        try cable.ip("link", "set", "v1", "down")
        let troubles = ["v0 has no carrier", "no interface is up", "v0 has no carrier"]
        for (target, trouble) in zip(targets, troubles) {
            try await watch.hear("\(target)  down after 1 loss: \(trouble)", within: Self.atOnce)
        }
        try cable.ip("link", "set", "v1", "up")
        for target in targets { try await watch.hear("\(target)  up after", within: Self.atOnce) }
    }

    @Test func `an interface that is switched off shows at once, and so does a lost route`() async throws {
        let cable = try Cable()
        let watch = try Watching(cable, "link:v0", "link:any", "route://198.51.100.1")
        for target in targets { try await watch.hear("\(target)  up", within: .seconds(10)) }

        try cable.ip("route", "del", "default")
        try await watch.hear("198.51.100.1  down after 1 loss: network unreachable", within: Self.atOnce)
        try cable.ip("link", "set", "v0", "down")
        try await watch.hear("link:v0  down after 1 loss: v0 is down", within: Self.atOnce)
        try cable.ip("link", "del", "v0")
        try cable.makeLink()
        try await watch.hear("link:v0  up after", within: Self.atOnce)
        try await watch.hear("link:any  up after", within: Self.atOnce)
    }

    @Test func `what depends on the link is blocked by a pulled cable, and never down`() async throws {
        let cable = try Cable()
        let path = NSTemporaryDirectory() + "reach-link-\(UInt32.random(in: .min ... .max)).toml"
        defer { unlink(path) }
        // One loss would be enough, and comes at once where there is no interface left.
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
        let watch = try Watching(cable, "--json", "--config", path)
        try await watch.hearLines(with: #""to":"up""#, within: .seconds(10))
        try await watch.hearLines(with: #""target":"Beyond""#, within: .seconds(10))
        for round in 1...3 {
            try cable.ip("link", "del", "v0")
            try await watch.hearLines(with: #""blocked_by":"link","target":"Here""#, count: round, within: Self.atOnce)
            try await Task.sleep(for: .milliseconds(500))
            try cable.makeLink()
            // The way out is told of after the last step of its return, at most once a second.
            try await watch.hearLines(with: #""type":"unblocked","url":"icmp"#, count: round, within: .seconds(2))
        }
        try await Task.sleep(for: .milliseconds(500))
        let verdicts = watch.text.split(separator: "\n").filter {
            $0.contains(#""target":"Here""#) && $0.contains(#""to":"#)
        }
        #expect(verdicts.count == 1, "\(watch.text)")
    }

    @Test func `everything is asked when the network returns`() async throws {
        let cable = try Cable()
        try cable.ip("link", "del", "v0")
        let path = NSTemporaryDirectory() + "reach-link-\(UInt32.random(in: .min ... .max)).toml"
        defer { unlink(path) }
        // With an hour between two probes, only the return of the network is a reason to ask.
        let settings = """
            [[target]]
            name = "Here"
            url = "icmp://192.0.2.1"
            interval = "1h"
            fall = 1
            """
        try Data(settings.utf8).write(to: URL(filePath: path))
        let watch = try Watching(cable, "--config", path)
        try await watch.hear("Here  down after 1 loss", within: .seconds(10))
        try cable.makeLink()
        try await watch.hear("Here  up after", within: Self.atOnce)
    }

    /// What the kernel, two cores and a debug build need; the engine's own part of it is a few milliseconds.
    private static let atOnce = Duration.milliseconds(200)
}

/// A network of its own with one cable, from `v0` (192.0.2.1) to `v1`. It goes with the last reference.
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
        guard process.terminationStatus == 0 else { throw Silence(description: words.joined(separator: " ")) }
    }
}

/// `reach watch` in a cable's network, and what it says. It ends with the last reference.
private final class Watching {
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

    /// Waits until it has said so.
    func hear(_ words: String, within limit: Duration) async throws {
        try await hearLines(with: "  \(words)", within: limit)
    }

    /// Waits until it has written so many lines that contain this.
    func hearLines(with words: String, count: Int = 1, within limit: Duration) async throws {
        let deadline = ContinuousClock.now + limit
        while text.split(separator: "\n").count(where: { $0.contains(words) }) < count {
            guard ContinuousClock.now < deadline else {
                throw Silence(description: "\(count) of \"\(words)\" not within \(limit):\n\(text)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// All that it has said, even what was waited for.
    var text: String {
        String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
    }

    /// The built program, which lies next to the bundle of the tests.
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

/// What was waited for in vain.
private struct Silence: Error, CustomStringConvertible {
    let description: String
}
