import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Sessions whose peer resets the connection or whose link goes down.
    @Suite(.serialized, .quiet) struct SessionTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// Starts `reach watch` with an interval of an hour: any earlier report is caused by an event.
        private func watch(_ url: String, in network: Namespace? = nil, _ more: String = "") throws -> Child {
            let settings = """
                [[target]]
                name = "NAS"
                url = "\(url)"
                interval = "1h"
                timeout = "5s"
                retry_interval = "1h"
                \(more)
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let words = [Program.path, "watch", "--config", path]
            return try scratch.start((network.map { ["ip", "netns", "exec", $0.name] } ?? []) + words)
        }

        /// Waits for the first report about the target since `time`.
        ///
        /// - Returns: The seconds from `time` to the report's own timestamp.
        @discardableResult
        private func waitForReport(_ words: String, in stream: String, since time: Double = 0) async throws -> Double {
            try await eventually(words, context: { scratch.text(of: "out") + scratch.text(of: "err") }) {
                let stamps = scratch.lines(of: stream).compactMap { line -> Double? in
                    guard let end = line.firstRange(of: "  NAS  \(words)") else { return nil }
                    let text = line[..<end.lowerBound].suffix(24)
                    return try? Date(text, strategy: Self.stamp).timeIntervalSince1970
                }
                // Timestamps are truncated to milliseconds.
                return stamps.first { $0 + 0.001 >= time }.map { $0 - time }
            }
        }

        private static func milliseconds(_ seconds: Double) -> String {
            "\(Int((seconds * 1_000).rounded())) ms"
        }

        /// The method of a target.
        enum Method: String, CustomStringConvertible {
            case session
            case tcp
            case icmp

            var description: String { rawValue }
        }

        private static let stamp = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

        @Test func `a reset is reported at once, and the session reconnects`() async throws {
            let peer = try HoldingListener()
            let child = try watch("session://127.0.0.1:\(peer.port)")
            try await waitForReport("up", in: "out")
            let start = wallTime()
            peer.reset()
            let failed = try await waitForReport("session failed: reset", in: "err", since: start)
            let down = try await waitForReport("down after 1 loss: reset", in: "out", since: start)
            print("reset: failed after \(Self.milliseconds(failed)), down after \(Self.milliseconds(down))")
            #expect(failed < 2 && down < 2)
            try await waitForReport("session ready", in: "err", since: start)
            try await waitForReport("up after", in: "out", since: start)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test(
            .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here: needs root and iproute2"),
            arguments: [Cable.near, .far]
        )
        func `without a carrier the session waits, and it reconnects when the carrier returns`(_ cable: Cable)
            async throws
        {
            let (near, far) = (try Namespace(), try Namespace())
            try near.connect(to: far)
            let peer = try HoldingListener(in: far)
            let child = try watch("session://192.0.2.2:\(peer.port)", in: near)
            try await waitForReport("up", in: "out")
            try await waitForReport("session ready", in: "err")

            let end = cable == .near ? near : far
            let pulled = wallTime()
            try end.ip("link", "set", "v0", "down")
            let waiting = try await waitForReport("session waiting: no route", in: "err", since: pulled)
            let why = cable == .near ? "network unreachable" : "v0 has no carrier"
            let down = try await waitForReport("down after 1 loss: \(why)", in: "out", since: pulled)

            // A change that brings no route back must not cause packets to the peer.
            try near.ip("address", "add", "198.51.100.1/32", "dev", "lo")
            // Longer than the kernel's address resolution of the neighbour: its requests are lost now, and packets
            // queued for the neighbour would fail when the carrier returns.
            try await Task.sleep(for: .milliseconds(2_500))
            let plugged = wallTime()
            try end.ip("link", "set", "v0", "up")
            let ready = try await waitForReport("session ready", in: "err", since: plugged)
            let back = try await waitForReport("up after", in: "out", since: plugged)
            // Most of the measured time is the kernel's, which may report a carrier a second late. The engine's part is
            // a few milliseconds.
            print(
                "\(cable): waiting after \(Self.milliseconds(waiting)), ready again after \(Self.milliseconds(ready))"
            )
            #expect(waiting < 2 && down < 2 && ready < 2 && back < 2)
            #expect(!scratch.text(of: "err").contains("session failed"))
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test(
            .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here: needs root and iproute2"),
            arguments: [Method.session, .tcp, .icmp]
        )
        func `an address resolution that fails after the carrier's return prolongs no outage`(_ method: Method)
            async throws
        {
            let (near, far) = (try Namespace(), try Namespace())
            // Route changes while IPv6 comes up would also cause probes.
            try near.set("net.ipv6.conf.all.disable_ipv6", to: "1")
            try near.connect(to: far)
            try far.ip("link", "set", "v0", "down")
            let peer = try HoldingListener(in: far)
            let port = method == .icmp ? "" : ":\(peer.port)"
            let slow = "down_interval = \"1h\"\nfall = 1"
            let child = try watch("\(method)://192.0.2.2\(port)", in: near, slow)
            // The first probe ends with an address resolution.
            try await waitForReport("down after 1 loss", in: "out")

            // Another resolution. Its three requests, a second apart, are lost before the carrier returns, and it fails
            // after that, with all packets queued for the neighbour.
            let start = ContinuousClock.now
            _ = try? Tool.must(near.words("ping", "-c", "1", "-W", "1", "192.0.2.2"))
            try await Task.sleep(until: start + .milliseconds(2_500))
            let plugged = wallTime()
            try far.ip("link", "set", "v0", "up")
            let up = try await waitForReport("up after", in: "out", since: plugged)
            print("\(method): up after \(Self.milliseconds(up)), with a failed address resolution")
            #expect(up < 2)
            if method == .session {
                let lines = scratch.lines(of: "err").filter { $0.contains("  NAS  session") }
                #expect(lines.count == 2 && lines.last?.hasSuffix("session ready") == true, "\(lines)")
            }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test(.enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here: needs root and iproute2"))
        func `an unrelated network change does not affect the session`() async throws {
            let (near, far) = (try Namespace(), try Namespace())
            try near.connect(to: far)
            let peer = try HoldingListener(in: far)
            let child = try watch("session://192.0.2.2:\(peer.port)", in: near)
            try await waitForReport("up", in: "out")
            try near.ip("address", "add", "198.51.100.1/24", "dev", "v0")
            try near.ip("link", "add", "e0", "type", "veth", "peer", "name", "e1")
            try near.ip("link", "set", "e0", "up")
            try near.ip("route", "add", "203.0.113.0/24", "via", "192.0.2.2")
            try near.ip("link", "del", "e0")
            try near.ip("address", "del", "198.51.100.1/24", "dev", "v0")
            // Ten times the delay before a network change is handled.
            try await Task.sleep(for: .milliseconds(500))
            #expect(scratch.lines(of: "out").count == 1)
            #expect(scratch.lines(of: "err").filter { $0.contains("  NAS  session") }.count == 1)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        /// The end of the link that goes down. With the far end down, the near interface keeps its addresses and routes
        /// but has no carrier.
        enum Cable {
            case near
            case far
        }
    }
}
