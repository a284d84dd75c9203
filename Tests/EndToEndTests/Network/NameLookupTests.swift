import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Lookups without an answer delay no other target.
    @Suite(.serialized, .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"))
    struct NameLookupTests {
        /// Settings with 48 targets by address, one whose name server drops queries, and one that drops echo requests.
        private static let settings: String = {
            let silent = """
                [[target]]
                name = "Nameless"
                url = "icmp://nosuch.invalid"
                [[target]]
                name = "Silent"
                url = "icmp://192.0.2.99"

                """
            return silent + (1...48).map { "[[target]]\nname = \"T\($0)\"\nurl = \"icmp://127.0.0.\($0)\"\n" }.joined()
        }()

        private func network() throws -> Namespace {
            let network = try Namespace()
            try network.addVoid("192.0.2.53", "192.0.2.99")
            try network.setResolver("192.0.2.53")
            return network
        }

        @Test func `a dead name server delays no target by address`() async throws {
            let scratch = try Scratch()
            let network = try network()
            let path = try scratch.write(Self.settings, to: "settings.toml")
            let began = wallTime()
            let child = try scratch.start(network.words(Program.path, "watch", "--config", path))
            try await eventually("48 verdicts", context: { scratch.text(of: "out") + scratch.text(of: "err") }) {
                scratch.lines(of: "out").count { $0.hasSuffix("  up") } == 48
            }
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let times = try scratch.lines(of: "out").filter { $0.hasSuffix("  up") }.map { line in
                try Date(String(line.prefix(24)), strategy: style).timeIntervalSince1970 - began
            }
            let last = try #require(times.max())
            print("48 verdicts beside a dead name server, the last after \(Int(last * 1_000)) ms")
            // The interval, over which the first probes are spread, plus the start of the program.
            #expect(last < 1 + 1.5)
            #expect(child.status == nil)
            child.send(SIGTERM)
            #expect(try await child.end(within: .seconds(4)) == 143, "an unanswered query delays the exit")
        }

        @Test(.enabled(if: Machine.hasTmux, "tmux is not installed"))
        func `a dead name server delays neither the first frame nor the keys`() async throws {
            let scratch = try Scratch()
            let network = try network()
            let path = try scratch.write(Self.settings, to: "settings.toml")
            let pty = try Pty(network.words(Program.path, "--config", path), in: scratch)
            try await pty.wait(for: "nosuch.invalid")
            let first = try #require(pty.chunks.first { String(decoding: $0.bytes, as: UTF8.self).contains("TARGET") })
            let after = pty.started.duration(to: first.time)
            print("first frame beside a dead name server after \(after / .milliseconds(1)) ms")
            #expect(after < .seconds(3))
            pty.type("q")
            #expect(try await pty.end(within: .seconds(4)) == 0)

            let command = network.words(Program.path, "--config", path).joined(separator: " ")
            let screen = try Screen(command, in: scratch, rows: 60)
            try await screen.wait(for: "● 48 up", within: .seconds(5))
            try await screen.wait(forRowWith: "Silent", "down")
            try screen.press("?")
            try await screen.wait(for: " Help ")
        }
    }
}

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
            // The names go down one after the other: the common cause is named, and more join it.
            #expect(has("\"type\":\"cause\"", "\"change\":\"named\"", "resolver of this machine") == 1)
            #expect(has("\"type\":\"transition\"") == Self.addresses + Self.names, "unexpected transitions")

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

extension EndToEnd {
    /// A resolver that answers only for one of two DNS zones.
    @Suite(
        .serialized,
        .quiet,
        .enabled(if: Machine.canMakeNetworks && Machine.hasPython, "network namespaces or python3 are missing")
    )
    struct SilentZoneTests {
        @Test(arguments: [300, 1_000])
        func `names that resolve come up at once beside names without an answer`(dead: Int) async throws {
            let scratch = try Scratch()
            let network = try Namespace()
            try network.setResolver("127.0.0.1")
            let start = { (words: [String]) in
                let streams = Child.Streams.files(
                    output: "/dev/null",
                    errors: scratch.file("server.err")
                )
                return try Child(network.words(words), in: scratch.path, streams: streams)
            }
            let server = try start(["/usr/bin/python3", "-c", Self.server])
            let dead = (1...dead).map { "n\($0).dead.test" }
            let good = (1...20).map { "g\($0).good.test" } + ["localhost"]
            // The names without an answer come first.
            let targets = (dead + good).map { "[[target]]\nname = \"\($0)\"\nurl = \"tcp://\($0):8080\"\n" }
            let defaults = "[defaults]\ninterval = \"1s\"\nfamily = \"4\"\n"
            let path = try scratch.write(defaults + targets.joined(), to: "settings.toml")
            try await eventually("servers") {
                (try? Tool.run(network.words("/usr/bin/getent", "ahosts", "g1.good.test"), in: scratch.path))?.status
                    == 0
            }
            let child = try scratch.start(network.words(Program.path, "watch", "--config", path))
            let began = wallTime()
            let ups = { scratch.lines(of: "out").count { $0.hasSuffix("  up") } }
            try await eventually("21 up", within: .seconds(8), context: { scratch.text(of: "out") }) { ups() == 21 }
            let time = wallTime() - began
            print("21 names that resolve, beside \(dead.count) that do not, up after \(Int(time * 1_000)) ms")
            // The first probes are spread over one interval.
            #expect(time < 2.5)
            #expect(
                !scratch.lines(of: "out").contains { $0.contains("good.test  down") || $0.contains("localhost  down") }
            )
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            withExtendedLifetime(server) {}
        }

        /// A script that answers for names in good.test and accepts connections.
        private static let server = """
            import socket, struct, threading
            def web():
                server = socket.create_server(("127.0.0.1", 8080), backlog=200)
                while True:
                    server.accept()[0].close()
            threading.Thread(target=web, daemon=True).start()
            dns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            dns.bind(("127.0.0.1", 53))
            while True:
                query, peer = dns.recvfrom(512)
                if b"\\x04good\\x04test\\x00" not in query:
                    continue
                end = query.index(b"\\x00", 12) + 5
                isFour = query[end - 4:end - 2] == b"\\x00\\x01"
                head = query[:2] + struct.pack(">HHHHH", 0x8180, 1, int(isFour), 0, 0)
                record = struct.pack(">HHHIH4s", 0xC00C, 1, 1, 60, 4, bytes([127, 0, 0, 1])) if isFour else b""
                dns.sendto(head + query[12:end] + record, peer)
            """
    }
}
