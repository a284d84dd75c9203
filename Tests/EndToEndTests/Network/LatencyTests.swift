import Foundation
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
    /// Statistics of a host with delays, jitter and loss.
    @Suite(
        .serialized,
        .quiet,
        .enabled(if: Machine.hasTmux, "tmux is not installed"),
        .enabled(if: Machine.canTunnel, "tunnels cannot be made here")
    ) struct LatencyTests {
        private let scratch: Scratch
        private let network: Namespace

        init() throws {
            scratch = try Scratch()
            network = try Namespace()
        }

        private func screen(interval: String = "100ms") throws -> Screen {
            let settings = """
                [[target]]
                name = "Far"
                url = "icmp://192.0.2.2"
                interval = "\(interval)"
                timeout = "300ms"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            return try Screen(network.words(Program.path, "--config", path).joined(separator: " "), in: scratch)
        }

        /// Reads the target's row: round trips and jitter in milliseconds, loss in per cent.
        private func figuresShown(
            on screen: Screen
        ) throws -> (last: Double, p95: Double, loss: Double, jitter: Double)? {
            let row = try screen.rows.first { $0.contains(" Far ") && $0.contains("icmp") } ?? ""
            let match = row.firstMatch(of: #/ ([\d.]+)ms +([\d.]+)ms +(\d+)% +([\d.]+)(ms|µs) /#)
            guard let match, let last = Double(match.1), let p95 = Double(match.2) else { return nil }
            guard let loss = Double(match.3), let jitter = Double(match.4) else { return nil }
            return (last, p95, loss, match.5 == "µs" ? jitter / 1_000 : jitter)
        }

        @Test func `a delay of 40 ms shows in every figure`() async throws {
            let host = try DistantHost(for: network) { _ in .milliseconds(40) }
            let screen = try screen()
            // A busy machine adds a few slow replies; the statistics recover within seconds.
            let figures = try await eventually("figures of 40 ms", context: { screen.text }) {
                try figuresShown(on: screen).flatMap { (40..<60).contains($0.last) && $0.jitter < 10 ? $0 : nil }
            }
            print("with a delay of 40 ms: \(figures)")
            #expect(figures.p95 >= 40)
            #expect(figures.loss == 0)
            withExtendedLifetime(host) {}
        }

        @Test func `alternating 10 and 50 ms give a jitter of 40 ms`() async throws {
            let host = try DistantHost(for: network) { .milliseconds($0.isMultiple(of: 2) ? 10 : 50) }
            let screen = try screen()
            let figures = try await eventually("jitter of 40 ms", context: { screen.text }) {
                try figuresShown(on: screen).flatMap { (36..<44).contains($0.jitter) ? $0 : nil }
            }
            print("with alternating 10 and 50 ms: \(figures)")
            #expect(figures.p95 >= 50)
            #expect(figures.loss == 0)
            withExtendedLifetime(host) {}
        }

        @Test func `single losses are counted, and change neither health nor round trips`() async throws {
            let host = try DistantHost(for: network) { $0.isMultiple(of: 2) ? .milliseconds(10) : nil }
            let screen = try screen()
            try await screen.wait(forRowWith: "● Far", "up")
            try await Task.sleep(for: .milliseconds(2_500))
            let row = try await screen.wait(forRowWith: "● Far", "%")
            let loss = try #require(row.firstMatch(of: #/(\d+)%/#).flatMap { Int($0.1) })
            #expect((40...60).contains(loss), "\(row)")
            #expect(row.contains(#/[⡀⡄⡆⡇]/#), "\(row)")
            // A busy machine adds a slow reply; the next one is normal.
            try await eventually("a round trip of 10 ms", context: { screen.text }) {
                // If the last probe was lost, the first figure of the row is the 95th percentile.
                let row = try screen.rows.first { $0.contains("● Far") } ?? ""
                return row.firstMatch(of: #/([\d.]+)ms/#).flatMap { Double($0.1) }.map((10..<30).contains) ?? false
            }
            #expect(!screen.text.contains("down after"))
            withExtendedLifetime(host) {}
        }

        @Test func `with 40 ms and 5 % of loss both figures are right, and the target stays up`() async throws {
            let requests = Atomic(0)
            let host = try DistantHost(for: network) { number in
                requests.store(number + 1, ordering: .relaxed)
                return number % 20 == 13 ? nil : .milliseconds(40)
            }
            let screen = try screen(interval: "50ms")
            // The figures cover the last hundred probes. Any hundred in a row have five losses.
            try await eventually("150 requests") { requests.load(ordering: .relaxed) >= 150 }
            let figures = try await eventually("figures of 40 ms and 5 %", context: { screen.text }) {
                try figuresShown(on: screen).flatMap {
                    (40..<60).contains($0.last) && (4...6).contains($0.loss) ? $0 : nil
                }
            }
            print("with 40 ms and 5 % of loss: \(figures)")
            #expect(figures.p95 >= 40)
            #expect(!screen.text.contains("down after"))
            withExtendedLifetime(host) {}
        }

        @Test func `a host that stops answering is down by timeout, and up again later`() async throws {
            let host = try DistantHost(for: network) { (10..<30).contains($0) ? nil : .milliseconds(5) }
            let screen = try screen()
            try await screen.wait(forRowWith: "● Far", "up 1/3", "timeout")
            try await screen.wait(forRowWith: "○ Far", "down", "timeout")
            try await screen.wait(for: "down after 3 losses: timeout")
            try await screen.wait(forRowWith: "● Far", "up ")
            withExtendedLifetime(host) {}
        }
    }
}
