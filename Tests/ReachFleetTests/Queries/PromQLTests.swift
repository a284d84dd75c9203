import ReachMonitoring
import Testing

@testable import ReachFleet

struct PromQLTests {
    @Test func `hostile values of labels stay values`() {
        #expect(PromQL.quoted("a\"} or up{b=\"\\\n") == #""a\"} or up{b=\"\\\n""#)
        #expect(PromQL.matcher("target", oneOf: ["a.b"]) == #"target="a.b""#)
        #expect(PromQL.matcher("target", oneOf: ["a.b", "c|(d"]) == #"target=~"a\\.b|c\\|\\(d""#)
    }

    @Test(
        arguments: [
            ("probe_success", #"probe_success{instance="x"}"#),
            ("probe_success{}", #"probe_success{instance="x"}"#),
            (#"probe_success{job="web"}"#, #"probe_success{job="web",instance="x"}"#),
            (#" probe_success { job="}", } "#, #"probe_success{job="}",instance="x"}"#),
        ]
    )
    func `matchers become part of a selector`(text: String, restricted: String) {
        #expect(ProbeExpression(text).text(where: "instance", isOneOf: ["x"]) == restricted)
    }

    @Test(arguments: ["up == 1", "sum by (instance) (up)", #"a{x="1"} or b{x="2"}"#, "{job=\"x\"}", "up offset 5m"])
    func `of another expression, the server sends the wanted targets only`(text: String) {
        let expression = ProbeExpression(text)
        #expect(expression.text == text)
        #expect(
            expression.text(where: "instance", isOneOf: ["a$1", "b"])
                == "(\(text)) and on (instance) (label_replace(vector(1), \"instance\", \"a$$1\", \"\", \"\") or "
                + "label_replace(vector(1), \"instance\", \"b\", \"\", \"\"))"
        )
    }

    private func metrics(
        _ names: Set<String>,
        labels: Set<String> = [],
        _ change: (inout PrometheusSettings) -> Void = { _ in }
    ) -> ProbeMetrics? {
        var settings = PrometheusSettings(name: "p", url: "http://p:9090")
        change(&settings)
        return ProbeMetrics(names: names, labels: labels, settings: settings)
    }

    @Test func `the most specific metrics of a server are chosen`() {
        let names: Set = ["up", "smokeping_response_duration_seconds_count", "probe_success", "reach_up"]
        #expect(metrics(names)?.exporter == .reach)
        #expect(metrics(names.subtracting(["reach_up"]))?.exporter == .blackbox)
        #expect(metrics(["up", "smokeping_response_duration_seconds_count"])?.exporter == .smokeping)
        #expect(metrics(["up"])?.exporter == .scrapes)
        #expect(metrics(["go_info"]) == nil)
        #expect(metrics([]) { $0.probes = "x" }?.exporter == .expression)
    }

    @Test func `labels have good defaults`() throws {
        let reach = try #require(metrics(["reach_up"]))
        #expect([reach.targetLabel, reach.groupLabel, reach.vantageLabel] == ["target", "group", "instance"])
        let blackbox = try #require(metrics(["probe_success"], labels: ["vantage"]))
        #expect([blackbox.targetLabel, blackbox.groupLabel, blackbox.vantageLabel] == ["instance", "job", "vantage"])
        #expect(try #require(metrics(["probe_success"])).vantageLabel == nil)
        #expect(metrics(["up"]) { $0.vantageLabel = "site" }?.vantageLabel == "site")
    }

    @Test func `with the summaries of reach, few series are read`() throws {
        let new = try #require(metrics(["reach_up", "reach_targets", "reach_build_info"], labels: ["vantage"]))
        #expect(new.counts == "sum by (group, vantage) (reach_targets)")
        #expect(new.failing() == "reach_failing_since_timestamp_seconds{}")
        #expect(new.failing(ofVantagePoint: "fra") == #"reach_failing_since_timestamp_seconds{vantage="fra"}"#)
        #expect(new.reports == "max by (vantage) (timestamp(reach_build_info))")
        let old = try #require(metrics(["reach_up"], labels: ["vantage"]))
        #expect(old.counts == "count by (group, vantage) (reach_up{})")
        #expect(old.failing() == "(reach_up{}) == 0")
        #expect(old.reports == "max by (vantage) (timestamp((reach_up{})))")
    }

    @Test func `without the build info, or of some vantage points only, all series of targets are read`() throws {
        let federated = try #require(metrics(["reach_up", "reach_targets"], labels: ["vantage"]))
        #expect(federated.reports == "max by (vantage) (timestamp((reach_up{})))")
        #expect(federated.failing() == "(reach_up{}) == 0" && federated.summaryCheck == nil)
        let mixed = try #require(metrics(["reach_up", "reach_targets", "reach_build_info"], labels: ["vantage"]))
            .mixed(true)
        #expect(mixed.reports == federated.reports && mixed.counts == federated.counts)
        #expect(mixed.failing() == "reach_failing_since_timestamp_seconds{} or ((reach_up{}) == 0)")
    }

    @Test func `sizes of groups are those of the vantage point with most targets`() throws {
        let known = try #require(metrics(["reach_up", "reach_targets", "reach_build_info"], labels: ["vantage"]))
        let result = try Answer.read(
            Answer.vector(
                Answer.series(["group": "A", "vantage": "fra"], "3"),
                Answer.series(["group": "A", "vantage": "nyc"], "4"),
                Answer.series(["vantage": "nyc"], "2"),
                Answer.series(["group": "B"], "NaN")
            )
        )
        #expect(known.groupSizes(of: result) == ["A": 4, "": 2])
    }

    @Test func `a range has at most 11,000 points`() {
        for (seconds, step) in [(3_600, 15), (30 * 86_400, 15), (30 * 86_400, 300), (1, 0), (365 * 86_400, 1)] {
            let span = QuerySpan(endingAt: 1_795_528_719, seconds: Int64(seconds), step: Int64(step))
            #expect((1...11_000).contains((span.end - span.start) / span.step + 1))
            #expect(span.end % span.step == 0 && span.start % span.step == 0)
        }
        let hour = QuerySpan(endingAt: 3_605, seconds: 3_600, step: 15)
        #expect((hour.end - hour.start) / hour.step + 1 == 241)
    }
}
