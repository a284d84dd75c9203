import Foundation
import Testing

extension EndToEnd {
    /// A resolver that says nothing costs those that need it, and nobody else.
    @Suite(
        .enabled(if: Machine.canMakeNetworks && Machine.hasPeers, "network namespaces, nginx or dnsmasq are missing")
    )
    struct SilentResolverTests {
        private static let names = 200
        private static let addresses = 20
        /// How long the resolver says nothing. A person may have more time than the suite.
        private static let silence = Double(ProcessInfo.processInfo.environment["REACH_SILENCE"] ?? "") ?? 9

        /// Each is asked once a second.
        private static let settings: String = {
            let hosts = (1...addresses).map { "127.0.1.\($0)" } + (1...names).map { "n\($0).test" }
            let targets = hosts.map { "[[target]]\nname = \"\($0)\"\nurl = \"http://\($0):\(WebLog.port)/\"\n" }
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
            let web = try await WebLog(in: network, scratch: scratch)
            server.fallSilent()
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
            #expect(has("\"to\":\"down\"", "\"reason\":\"resolver_failed\"", "does not answer for n") == Self.names)
            #expect(scratch.lines(of: "out").count == Self.addresses + Self.names, "something else was said")

            let asked = web.times.mapValues { $0.filter { start...end ~= $0 } }
            #expect(asked.count == Self.addresses)
            let counts = asked.values.map(\.count)
            let gaps = asked.values.flatMap { zip($0.dropFirst(), $0).map { $0 - $1 } }
            let (least, most) = try (#require(gaps.min()), #require(gaps.max()))
            print(
                "\(Self.addresses) targets by address beside \(Self.names) names without an answer for",
                "\(Int(end - start)) s: each asked \(counts.min() ?? 0) to \(counts.max() ?? 0) times,",
                "\(Int(least * 1_000)) to \(Int(most * 1_000)) ms apart"
            )
            // Nothing is skipped, and nothing made up for.
            #expect(counts.allSatisfy { abs(Double($0) - (end - start)) <= 1.2 }, "\(counts)")
            // The interval and the spread are 950 to 1,050 ms; the rest is the machine's.
            #expect(least > 0.6 && most < 1.4)

            server.wakeUp()
            let woken = wallTime()
            try await eventually("names up", within: .seconds(20), context: { scratch.text(of: "out") }) {
                has("\"from\":\"down\"", "\"to\":\"up\"") == Self.names
            }
            print("\(Self.names) names up \(Int((wallTime() - woken) * 1_000)) ms after the resolver answers")
            child.send(SIGTERM)
            #expect(try await child.end(within: .seconds(4)) == 143)
        }
    }
}
