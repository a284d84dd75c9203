import Foundation
import ReachMonitoring
import ReachReporting
import TestSupport
import Testing

extension EndToEnd {
    /// The metrics as read by Prometheus, its linter and the reference parser of OpenMetrics.
    @Suite(.serialized) struct PrometheusTests {
        private let listener: Listener
        private let settings: String
        private let name = #"a "b\c\n{e="f",} é👩‍🚀"#
        /// A name with every character that the formats escape, except the line break, which settings reject.
        private let broken = "a \"b\\c\nd\\n\\\"\r\n"

        init() throws {
            listener = try Listener()
            let escaped = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            settings = """
                [[target]]
                name = "\(escaped)"
                url = "tcp://127.0.0.1:\(listener.port)"
                interval = "200ms"
                when_reachable = "true"
                [[target]]
                name = "Never"
                url = "https://127.0.0.1:1/"
                interval = "1h"
                group = "Home"
                """
        }

        /// Settings with a target of that name.
        private var brokenText: String {
            let story = Story(.make(broken, group: broken))
            var metrics = Metrics()
            metrics.apply(story.roster)
            return metrics.exposition(
                of: story.roster,
                program: ProgramFigures(version: broken, startTime: .zero),
                wall: WallTime(start: .zero)
            ).text(
                in: .openMetrics
            ).joined()
        }

        @Test(.enabled(if: Machine.hasPromtool, "promtool is not installed"))
        func `promtool accepts the metrics`() async throws {
            let watch = try await ListeningWatch(settings)
            try await eventually("first verdict") { try watch.get("/metrics").body.contains("reach_up{") }
            let check = { (accept: String?) in
                let path = try watch.scratch.write(try watch.get("/metrics", accept: accept).body, to: "metrics")
                return try Tool.run(["sh", "-c", "promtool check metrics < \(path)"], in: watch.scratch.path)
            }
            let text = try check(nil)
            #expect(text.status == 0 && text.errors == "" && text.output == "", "\(text.errors)\(text.output)")
            // promtool reads only the older format, which has a counter's help under its full name.
            let open = try check("application/openmetrics-text")
            #expect(open.errorLines.allSatisfy { $0.hasSuffix("_total no help text") }, "\(open.errors)")
        }

        @Test(.enabled(if: Machine.hasOpenMetricsParser, "python3-prometheus-client is not installed"))
        func `the reference parser reads OpenMetrics and unescapes every name`() async throws {
            let watch = try await ListeningWatch(settings)
            let script = """
                import json, sys
                from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
                families = list(parse(open(sys.argv[1], newline="").read()))
                print(json.dumps({
                    "names": {f.name: f.type for f in families},
                    "targets": sorted({s.labels["target"] for f in families for s in f.samples if "target" in s.labels}),
                }))
                """
            let text = try watch.get("/metrics", accept: "application/openmetrics-text").body
            for (text, targets) in [(text, ["Never", name]), (brokenText, [broken])] {
                let path = try watch.scratch.write(text, to: "metrics")
                let tool = try Tool.run(["/usr/bin/python3", "-c", script, path], in: watch.scratch.path)
                #expect(tool.status == 0, "\(tool.errors)")
                let object = try JSONSerialization.jsonObject(with: Data(tool.output.utf8)) as? [String: Any]
                #expect(object?["targets"] as? [String] == targets)
                let types = try #require(object?["names"] as? [String: String])
                #expect(types["reach_probes"] == "counter" && types["reach_round_trip_seconds"] == "histogram")
                #expect(types["reach_build_info"] == "gauge" && types.count == 38)
            }
        }

        @Test(.enabled(if: Machine.hasPrometheus, "prometheus is not installed"))
        func `Prometheus scrapes every series and every name`() async throws {
            let watch = try await ListeningWatch(settings)
            let head = "HTTP/1.0 200 OK\r\nContent-Type: application/openmetrics-text; version=1.0.0\r\n\r\n"
            let other = try Listener(greeting: head + brokenText, waitsForRequest: true)
            let server = try Prometheus(scraping: [watch.port, other.port], in: watch.scratch)
            let odd = try await server.samples(#"reach_probes_total{outcome="reply",group!="",group!="Home"}"#)
            #expect(odd.map { $0["target"] } == [broken] && odd.map { $0["group"] } == [broken])
            let up = try await server.samples("reach_up == 1")
            #expect(up.map { $0["target"] } == [name])
            #expect(up.map { $0["method"] } == ["tcp"])
            let never = try await server.samples(#"{__name__=~"reach_.+",target="Never"}"#)
            let series = Dictionary(grouping: never) { $0["__name__"] ?? "" }.mapValues(\.count)
            #expect(series["reach_probes_total"] == 4 && series["reach_transitions_total"] == 3)
            #expect(series["reach_health"] == 4 && series["reach_round_trip_seconds_bucket"] == 18)
            #expect(never.allSatisfy { $0["group"] == "Home" && $0["method"] == "https" })
            let runs = try await server.samples("reach_hook_runs_total")
            #expect(Set(runs.compactMap { $0["status"] }) == ["success", "failure", "dropped"])
            #expect(try await server.samples("reach_build_info").count == 2)
            // Prometheus prefers OpenMetrics, in which a counter's metadata may have another name.
            let types =
                try server.get("/api/v1/targets/metadata?metric=reach_probes_total").body
                + server.get("/api/v1/targets/metadata?metric=reach_probes").body
            #expect(types.contains(#""type":"counter""#), "\(types)")
            let health = try server.get("/api/v1/targets").body
            #expect(health.contains(#""health":"up""#) && health.contains(#""lastError":"""#), "\(health)")
        }

        private static let folder = URL(filePath: #filePath).appending(path: "../../../../Packaging").standardized.path

        @Test(.enabled(if: Machine.hasPromtool, "promtool is not installed"))
        func `promtool accepts the example, its alerts and its recording rules, and their tests pass`() throws {
            let check = try Tool.run(["promtool", "check", "config", "prometheus.yml"], in: Self.folder)
            #expect(check.status == 0 && check.output.contains("7 rules found"), "\(check.output)\(check.errors)")
            let tests = try Tool.run(["promtool", "test", "rules", "reach-alerts.test.yml"], in: Self.folder)
            #expect(tests.status == 0, "\(tests.output)\(tests.errors)")
        }

        @Test func `the Grafana dashboard and the rules use metrics that exist`() async throws {
            let watch = try await ListeningWatch(settings)
            let page = try watch.get("/metrics").body
            let names = page.matches(of: #/# TYPE ([a-z_]+) /#).map { String($0.1) }
            let data = try Data(contentsOf: URL(filePath: "\(Self.folder)/grafana-dashboard.json"))
            let dashboard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect((dashboard["panels"] as? [Any])?.count == 13)
            for file in ["grafana-dashboard.json", "reach-alerts.yml", "reach-recording-rules.yml"] {
                let text = try String(contentsOfFile: "\(Self.folder)/\(file)", encoding: .utf8)
                let used = Set(text.matches(of: /(?:reach|process)_[a-z_]+/).map { String($0.0) })
                let unknown = used.filter { name in
                    !names.contains { name == $0 || name == "\($0)_bucket" }
                }
                #expect(!used.isEmpty && unknown == [], "\(file)")
            }
        }
    }
}
