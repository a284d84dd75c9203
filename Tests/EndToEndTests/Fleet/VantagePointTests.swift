import Foundation
import Testing

extension EndToEnd {
    /// Three vantage points in network namespaces, one of them shared by five processes, with Debian's Prometheus and
    /// Alertmanager.
    @Suite(
        .serialized,
        .enabled(if: Machine.hasPrometheus, "prometheus is not installed"),
        .enabled(if: Machine.hasAlertmanager, "prometheus-alertmanager or curl is not installed"),
        .enabled(if: Machine.hasTmux, "tmux is not installed"),
        .enabled(if: Machine.canDrop, "network namespaces with nftables cannot be made here"),
        .enabled(if: Machine.canPing, "ICMP sockets are not permitted here")
    ) struct VantagePointTests {
        private let scratch: Scratch
        private let network: FleetNetwork

        init() throws {
            scratch = try Scratch()
            network = try FleetNetwork(targets: 10)
            try scratch.write(
                """
                [defaults]
                interval = "200ms"
                timeout = "150ms"
                fall = 2
                [[target]]
                name = "Shop"
                url = "icmp://10.77.9.1"
                [[target]]
                urls = ["icmp://10.77.9.{2..10}"]
                """,
                to: "list.toml"
            )
            try scratch.write(
                """
                [[prometheus]]
                url = "http://127.0.0.1:9090"
                interval = "1s"
                stale_after = "5s"
                """,
                to: "fleet.toml"
            )
        }

        /// Starts `reach watch` at a vantage point.
        private func watch(_ index: Int, port: Int, _ options: String...) throws -> Child {
            let address = "\(FleetNetwork.address(of: index)):\(port)"
            let words = [
                Program.path, "watch", "--no-history", "--config", scratch.file("list.toml"), "--listen", address,
            ]
            return try network.start("watch\(port)", words + options, in: network.points[index], scratch)
        }

        /// Starts Prometheus.
        private func prometheus(_ targets: [(vantage: String, ports: [Int])]) throws -> Child {
            let configs = targets.enumerated().map { index, target in
                let list = target.ports.map { "'\(FleetNetwork.address(of: index)):\($0)'" }.joined(separator: ", ")
                return "{ targets: [\(list)], labels: { vantage: \(target.vantage) } }"
            }
            let config = """
                global: { scrape_interval: 1s, scrape_timeout: 1s }
                scrape_configs: [ { job_name: reach, static_configs: [ \(configs.joined(separator: ", ")) ] } ]
                """
            let words = [
                "prometheus", "--config.file=\(try scratch.write(config, to: "prometheus.yml"))",
                "--storage.tsdb.path=\(scratch.file("tsdb"))", "--web.listen-address=127.0.0.1:9090",
            ]
            return try network.start("prometheus", words, in: network.hub, scratch)
        }

        /// The values of a query, as text.
        private func values(_ query: String) throws -> [String] {
            let url = "http://127.0.0.1:9090/api/v1/query"
            let words = ["curl", "-s", "--data-urlencode", "query=\(query)", url]
            let text = try Tool.run(network.hub.words(words), in: scratch.path).output
            return text.matches(of: /"value":\[[0-9.]+,"([^"]+)"\]/).map { String($0.1) }
        }

        @Test func `the verdict names the vantage points, one after the other, and a silence is created`() async throws
        {
            var children = try (1...5).map { try watch(0, port: 9_720 + $0, "--shard", "\($0)/5") }
            children.append(try watch(1, port: 9_720))
            let last = try watch(2, port: 9_730)
            children.append(
                try prometheus([("fra", Array(9_721...9_725)), ("nyc", [9_720]), ("sin", [9_730])])
            )
            let alertmanager = try await Alertmanager(in: scratch, namespace: network.hub)
            let context = { self.scratch.text(of: "watch9721.err") + self.scratch.text(of: "prometheus.err") }
            try await eventually("scrapes", within: .seconds(20), context: context) {
                try values("count(reach_up == 1)") == ["30"]
            }
            // The five processes have the ten targets, each of them once.
            #expect(try values("count by (vantage) (reach_up)") == ["10", "10", "10"])
            #expect(try values("max(count by (vantage, target) (reach_up))") == ["1"])
            #expect(try values("count(count by (instance) (reach_up{vantage='fra'}))").first.map { $0 > "1" } == true)

            let settings =
                scratch.text(of: "fleet.toml") + "\n[alertmanager]\nurl = \"http://\(alertmanager.address)\"\n"
            let path = try scratch.write(settings, to: "fleet.toml")
            let json = [Program.path, "watch", "--no-history", "--json", "--config", path]
            children.append(try network.start("json", json, in: network.hub, scratch))
            let fleet = network.hub.words([Program.path, "fleet", "--no-history", "--config", path])
            let screen = try Screen(fleet.joined(separator: " "), in: scratch)
            try await screen.wait(for: "10 up", within: .seconds(15))
            try screen.press("5")
            for name in ["fra", "nyc", "sin"] { try await screen.wait(forRowWith: "TARGET", name) }

            try network.cut(0)
            try await screen.wait(forRowWith: "Shop", "up; fra disagrees", within: .seconds(10))
            try network.cut(1)
            try await screen.wait(forRowWith: "Shop", "down from 2 of 3: fra, nyc for", "sin", within: .seconds(10))
            try network.cut(2)
            try await screen.wait(forRowWith: "Shop", "down everywhere for", "timeout", within: .seconds(10))
            last.send(SIGTERM)
            try await screen.wait(forRowWith: "10.77.9.2", "up; sin not reporting", within: .seconds(15))
            try await screen.wait(forRowWith: "Shop", "down from 2 of 2", within: .seconds(5))
            // The two that report decide: one transition of this target, and none of the others.
            let transitions = scratch.lines(of: "json.out").filter {
                $0.contains("\"transition\"") && !$0.contains("\"from\":\"unknown\"")
            }
            #expect(transitions.count == 1 && transitions[0].contains("\"target\":\"Shop\""), "\(transitions)")
            #expect(transitions.first?.contains("from 2 of 3: fra, nyc: timeout; sin") == true, "\(transitions)")

            let alert =
                #"[{"labels":{"alertname":"Down","target":"Shop"}},{"labels":{"alertname":"Down","target":"X"}}]"#
            try alertmanager.request("/api/v2/alerts", "-H", "Content-Type: application/json", "-d", alert)
            try screen.press("n", "A")
            try await screen.wait(for: "silence Shop:")
            try screen.enter("1h: new switch")
            try await screen.wait(for: #"silence target="Shop" for 1h at \#(alertmanager.address)? new switch"#)
            try screen.press("y")
            try await screen.wait(for: #"silenced target="Shop" for 1h: new switch"#)
            let silences = try alertmanager.request("/api/v2/silences").output
            #expect(silences.contains(#""matchers":[{"isEqual":true,"isRegex":false,"name":"target","value":"Shop"}]"#))
            #expect(silences.contains(#""comment":"new switch""#))
            let alerts = try alertmanager.request("/api/v2/alerts?silenced=true&active=false").output
            #expect(alerts.contains(#""target":"Shop""#) && !alerts.contains(#""target":"X""#), "\(alerts)")
            try screen.press("q")
            withExtendedLifetime(children) {}
        }
    }
}
