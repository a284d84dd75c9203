import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A silent resolver affects only the targets that need it.
    @Suite(
        .serialized,
        .quiet,
        .enabled(if: Machine.canMakeNetworks && Machine.hasPeers, "network namespaces, nginx or dnsmasq are missing")
    )
    struct SilentResolverTests {
        private static let names = 200
        private static let addresses = 20
        /// The resolver's silence in seconds. `REACH_SILENCE` sets a longer one for manual runs.
        private static let silence = Double(ProcessInfo.processInfo.environment["REACH_SILENCE"] ?? "") ?? 9

        /// Settings that probe each target once a second.
        private static let settings: String = {
            let hosts = (1...addresses).map { "127.0.1.\($0)" } + (1...names).map { "n\($0).test" }
            let targets = hosts.map {
                "[[target]]\nname = \"\($0)\"\nurl = \"http://\($0):\(LoggingWebServer.port)/\"\n"
            }
            return "[defaults]\ninterval = \"1s\"\nrise = 1\n" + targets.joined()
        }()

        @Test func `200 names without an answer delay no target by address, and come up when the resolver answers`()
            async throws
        {
            let scratch = try Scratch()
            let network = try Namespace()
            let server = try await NameServer(
                in: network,
                records: (1...Self.names).map { "n\($0).test,127.0.0.1" },
                scratch: scratch
            )
            let web = try await LoggingWebServer(in: network, scratch: scratch)
            server.suspend()
            let path = try scratch.write(Self.settings, to: "settings.toml")
            let child = try scratch.start(network.words(Program.path, "watch", "--json", "--config", path))
            let has = { (words: String...) in
                scratch.lines(of: "out").count { line in words.allSatisfy { line.contains($0) } }
            }
            try await eventually("verdicts", context: { scratch.text(of: "err") }) {
                has("\"to\":\"up\"") == Self.addresses
            }
            let start = wallTime()
            try await Task.sleep(for: .seconds(Self.silence))
            let end = wallTime()
            #expect(has("\"to\":\"down\"", "\"reason\":\"resolver_failed\"", "resolver timeout for n") == Self.names)
            #expect(scratch.lines(of: "out").count == Self.addresses + Self.names, "unexpected lines")

            let requests = web.times.mapValues { $0.filter { start...end ~= $0 } }
            #expect(requests.count == Self.addresses)
            let counts = requests.values.map(\.count)
            let gaps = requests.values.flatMap { zip($0.dropFirst(), $0).map { $0 - $1 } }
            let (least, most) = try (#require(gaps.min()), #require(gaps.max()))
            print(
                "\(Self.addresses) targets by address beside \(Self.names) names without an answer for",
                "\(Int(end - start)) s: each probed \(counts.min() ?? 0) to \(counts.max() ?? 0) times,",
                "\(Int(least * 1_000)) to \(Int(most * 1_000)) ms apart"
            )
            // No probe is skipped, and none is caught up.
            #expect(counts.allSatisfy { abs(Double($0) - (end - start)) <= 1.2 }, "\(counts)")
            // The interval with its spread is 950 to 1,050 ms; the rest is the machine's delay.
            #expect(least > 0.6 && most < 1.4)

            server.resume()
            let resumed = wallTime()
            try await eventually("names up", within: .seconds(20), context: { scratch.text(of: "out") }) {
                has("\"from\":\"down\"", "\"to\":\"up\"") == Self.names
            }
            print("\(Self.names) names up \(Int((wallTime() - resumed) * 1_000)) ms after the resolver answers")
            child.send(SIGTERM)
            #expect(try await child.end(within: .seconds(4)) == 143)
        }
    }
}
