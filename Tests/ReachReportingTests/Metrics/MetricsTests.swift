import ReachMonitoring
import TestSupport
import Testing

@testable import ReachReporting

@Suite struct MetricsTests {
    @Test func `the information about a target has its tags`() {
        let counted = Counted(.make("NAS", tags: ["db", "prod"]))
        #expect(counted.values("reach_target_info{").count == 1)
        #expect(counted.lines().contains { $0.hasSuffix(#",url="tcp://nas.local:445",tags=",db,prod,"} 1"#) })
    }

    @Test func `counters exist before the first reply, unknown gauges do not`() {
        let counted = Counted(.make(group: "Home", hooks: [.make(on: [.up, .down])]))
        let nas = #"target="NAS",group="Home",method="tcp""#
        let bounds = [
            "5e-05", "0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25",
            "0.5", "1.0", "2.5", "5.0",
        ]
        var expected = ["unknown", "up", "degraded", "down"].map {
            #"reach_health{\#(nas),health="\#($0)"} \#($0 == "unknown" ? 1 : 0)"#
        }
        expected += ["unknown", "up", "degraded", "down"].map {
            #"reach_targets{group="Home",health="\#($0)"} \#($0 == "unknown" ? 1 : 0)"#
        }
        expected += ["blocked", "paused", "flapping", "maintenance"].map { "reach_\($0){\(nas)} 0" }
        expected += ["reply", "timeout", "failure", "fault"].map { #"reach_probes_total{\#(nas),outcome="\#($0)"} 0"# }
        expected += ["reach_faults_total{\(nas)} 0"]
        expected += (bounds + ["10.0", "+Inf"]).map { #"reach_round_trip_seconds_bucket{\#(nas),le="\#($0)"} 0"# }
        expected += ["reach_round_trip_seconds_sum{\(nas)} 0.0", "reach_round_trip_seconds_count{\(nas)} 0"]
        expected += ["up", "degraded", "down"].map { #"reach_transitions_total{\#(nas),to="\#($0)"} 0"# }
        for event in ["up", "down"] {
            expected += ["success", "failure", "dropped"].map {
                #"reach_hook_runs_total{\#(nas),event="\#(event)",status="\#($0)"} 0"#
            }
        }
        expected += [
            "cooling_down", "expired", "too_short", "acknowledged", "cellular", "obsolete", "already_queued",
            "quitting",
            "already_succeeded", "disarmed", "target_gone",
        ].map { #"reach_hooks_skipped_total{\#(nas),reason="\#($0)"} 0"# }
        expected += [#"reach_target_info{\#(nas),url="tcp://nas.local:445"} 1"#]
        expected += [
            "reach_schedule_late_probes_total 0", "reach_schedule_skipped_probes_total 0",
            "reach_schedule_missed_ratio 0.0",
        ]
        expected += ["reach_settings_last_reload_successful 1"]
        expected += [
            "reach_settings_last_reload_success_timestamp_seconds 1000.0", "process_start_time_seconds 1000.0",
        ]
        expected += [#"reach_build_info{version="1.2.3"} 1"#]
        #expect(counted.lines().filter { !$0.hasPrefix("#") } == expected)
    }

    @Test func `both formats have the type of each family`() {
        let counted = Counted(.make())
        let text = counted.lines().filter { $0.contains(" TYPE ") }
        #expect(
            text == [
                "# TYPE reach_up gauge", "# TYPE reach_health gauge",
                "# TYPE reach_failing_since_timestamp_seconds gauge", "# TYPE reach_targets gauge",
                "# TYPE reach_blocked gauge",
                "# TYPE reach_paused gauge", "# TYPE reach_flapping gauge", "# TYPE reach_maintenance gauge",
                "# TYPE reach_probes_total counter",
                "# TYPE reach_faults_total counter", "# TYPE reach_last_probe_timestamp_seconds gauge",
                "# TYPE reach_last_round_trip_seconds gauge", "# TYPE reach_round_trip_seconds histogram",
                "# TYPE reach_probe_phase_seconds gauge",
                "# TYPE reach_transitions_total counter", "# TYPE reach_loss_ratio gauge",
                "# TYPE reach_certificate_not_after_timestamp_seconds gauge", "# TYPE reach_http_status_code gauge",
                "# TYPE reach_hook_runs_total counter", "# TYPE reach_hooks_skipped_total counter",
                "# TYPE reach_target_info gauge", "# TYPE reach_path_hops gauge",
                "# TYPE reach_path_end_hop gauge", "# TYPE reach_path_changes_total counter",
                "# TYPE reach_level_seconds gauge", "# TYPE reach_last_shift_timestamp_seconds gauge",
                "# TYPE reach_schedule_late_probes_total counter",
                "# TYPE reach_schedule_skipped_probes_total counter", "# TYPE reach_schedule_missed_ratio gauge",
                "# TYPE reach_settings_last_reload_successful gauge",
                "# TYPE reach_settings_last_reload_success_timestamp_seconds gauge",
                "# TYPE process_cpu_seconds_total counter", "# TYPE process_resident_memory_bytes gauge",
                "# TYPE process_virtual_memory_bytes gauge", "# TYPE process_open_fds gauge",
                "# TYPE process_max_fds gauge", "# TYPE process_start_time_seconds gauge",
                "# TYPE reach_build_info gauge",
            ]
        )
        let open = counted.lines(.openMetrics)
        #expect(open.last == "# EOF")
        #expect(open.contains("# TYPE reach_probes counter") && open.contains("# TYPE reach_build_info gauge"))
        #expect(open.contains("# UNIT reach_round_trip_seconds seconds"))
        #expect(open.filter { !$0.hasPrefix("#") } == counted.lines().filter { !$0.hasPrefix("#") })
    }

    @Test func `outcomes, round trips, health and loss are counted`() {
        var counted = Counted(.make(fall: 2))
        counted.hear(.reply(roundTrip: .milliseconds(1)), .reply(roundTrip: .microseconds(1_001)), .timeout)
        #expect(counted.values("reach_up") == ["1"])
        counted.hear(.failure(Failure(.refused)), .fault(Fault(.permission, detail: "")))
        #expect(counted.values("reach_up") == ["0"])
        #expect(counted.values("reach_health") == ["0", "0", "0", "1"])
        #expect(counted.values("reach_probes_total") == ["2", "1", "1", "1"])
        #expect(counted.values("reach_transitions_total") == ["1", "0", "1"])
        #expect(counted.values("reach_loss_ratio") == ["0.5"])
        #expect(counted.values("reach_round_trip_seconds_bucket").dropFirst(3).prefix(3) == ["0", "1", "2"])
        #expect(counted.values("reach_round_trip_seconds_sum") == ["0.002001"])
        #expect(counted.values("reach_round_trip_seconds_count") == ["2"])
    }

    @Test func `the level and the time of its newest change`() {
        var counted = Counted(.make())
        counted.story.roster.findsShifts = true
        counted.hear(.reply(roundTrip: .milliseconds(12)))
        #expect(counted.values("reach_level_seconds").isEmpty)
        let replies = { (level: Int, count: Int) in
            (0..<count).map { Outcome.reply(roundTrip: .microseconds(level * 1_000 + $0 * 7 % 5 * 20)) }
        }
        for outcome in replies(12, 60) + replies(38, 20) { counted.hear(outcome) }
        #expect(
            counted.values("reach_level_seconds").first.flatMap(Double.init).map { abs($0 - 0.038) < 0.001 } == true
        )
        #expect(counted.values("reach_last_shift_timestamp_seconds") == ["1062.0"])
    }

    @Test func `a target that cannot be probed is not up, and the time of its newest probe stays`() {
        var counted = Counted(.make(fall: 2))
        counted.hear(.reply(roundTrip: .milliseconds(1)), .fault(Fault(.internal, detail: "no CA file")))
        #expect(counted.values("reach_up") == ["1"])
        counted.hear(.fault(Fault(.internal, detail: "no CA file")), .fault(Fault(.internal, detail: "no CA file")))
        #expect(counted.values("reach_up") == [])
        #expect(counted.values("reach_health") == ["1", "0", "0", "0"])
        #expect(counted.values("reach_faults_total") == ["3"])
        #expect(counted.values("reach_last_probe_timestamp_seconds") == ["1001.0"])
        counted.hear(.fault(Fault(.internal, detail: "no CA file")), .timeout)
        #expect(counted.values("reach_last_probe_timestamp_seconds") == ["1006.0"])
    }

    @Test func `blocked, paused and flapping have metrics, and a blocked target has no reach_up`() throws {
        var counted = Counted(.make(dependsOn: [.link], fall: 1))
        for _ in 0..<4 { counted.hear(.reply(roundTrip: .milliseconds(1)), .timeout) }
        #expect(counted.values("reach_flapping") == ["1"])
        counted.hear(.reply(roundTrip: .milliseconds(1)))
        #expect(counted.values("reach_up") == ["1"])
        for (isUp, up) in [(false, []), (true, ["1"])] {
            counted.story.take(counted.story.roster.record([.link(isUp: isUp, at: .seconds(100))]))
            #expect(counted.values("reach_blocked") == [isUp ? "0" : "1"])
            #expect(counted.values("reach_up") == up)
        }
        let id = try #require(counted.story["NAS"]).id
        counted.story.take(counted.story.roster.pause([id], at: .seconds(101)))
        #expect(counted.values("reach_paused") == ["1"])
        #expect(counted.values("reach_flapping") == ["0"])
    }

    @Test func `the loss covers the last hundred probes`() {
        var counted = Counted(.make())
        counted.hear(.timeout)
        for _ in 0..<99 { counted.hear(.reply(roundTrip: .seconds(11))) }
        #expect(counted.values("reach_loss_ratio") == ["0.01"])
        counted.hear(.reply(roundTrip: .seconds(11)))
        #expect(counted.values("reach_loss_ratio") == ["0.0"])
        #expect(counted.values("reach_round_trip_seconds_bucket").suffix(2) == ["0", "100"])
    }

    @Test func `phases, certificate and status are those of the newest reply that has them`() {
        var counted = Counted(.make("Shop", url: "https://shop.example.com/"))
        let phases = [Reply.PhaseTime(.connect, .milliseconds(2)), Reply.PhaseTime(.tls, .milliseconds(5))]
        let reply = Reply(
            roundTrip: .milliseconds(9),
            phases: phases,
            certificateExpiry: 1_800_000_000,
            httpStatus: 204
        )
        counted.hear(.reply(reply), from: "Shop")
        #expect(counted.values("reach_http_status_code") == ["204"])
        counted.hear(.failure(Failure(.httpStatus, httpStatus: 503)), from: "Shop")
        #expect(counted.values("reach_http_status_code") == ["503"])
        counted.hear(.timeout, from: "Shop")
        let shop = #"target="Shop",group="",method="https""#
        let lines = counted.lines()
        #expect(lines.contains("reach_http_status_code{\(shop)} 0"))
        #expect(lines.contains("reach_certificate_not_after_timestamp_seconds{\(shop)} 1800000000"))
        #expect(lines.contains(#"reach_probe_phase_seconds{\#(shop),phase="connect"} 0.002"#))
        #expect(lines.contains(#"reach_probe_phase_seconds{\#(shop),phase="tls"} 0.005"#))
    }

    @Test func `the expiry of an expired certificate is known from the failure`() {
        var counted = Counted(.make("Shop", url: "https://shop.example.com/", fall: 1))
        var failure = Failure(.certificateExpired, detail: "expired 3 days ago")
        failure.certificateExpiry = 1_700_000_000
        counted.hear(.failure(failure), from: "Shop")
        #expect(counted.values("reach_certificate_not_after_timestamp_seconds{") == ["1700000000"])
        counted.hear(.timeout, from: "Shop")
        #expect(counted.values("reach_certificate_not_after_timestamp_seconds{") == ["1700000000"])
        counted.hear(.reply(Reply(roundTrip: .milliseconds(9), certificateExpiry: 1_800_000_000)), from: "Shop")
        #expect(counted.values("reach_certificate_not_after_timestamp_seconds{") == ["1800000000"])
        counted.hear(.failure(failure), from: "Shop")
        #expect(counted.values("reach_certificate_not_after_timestamp_seconds{") == ["1700000000"])
    }

    @Test func `while down, a web target has status 0 and neither phases nor a round trip`() {
        var counted = Counted(.make("Shop", url: "https://shop.example.com/", fall: 2))
        let reply = Reply(
            roundTrip: .milliseconds(9),
            phases: [Reply.PhaseTime(.connect, .milliseconds(2))],
            httpStatus: 200
        )
        counted.hear(.reply(reply), .timeout, from: "Shop")
        #expect(counted.values("reach_last_round_trip_seconds") == ["0.009"])
        #expect(counted.values("reach_probe_phase_seconds") == ["0.002"])
        counted.hear(.timeout, from: "Shop")
        #expect(counted.values("reach_up") == ["0"] && counted.values("reach_http_status_code") == ["0"])
        #expect(
            counted.values("reach_last_round_trip_seconds") == [] && counted.values("reach_probe_phase_seconds") == []
        )
        counted.hear(.failure(Failure(.httpStatus, httpStatus: 503)), from: "Shop")
        #expect(counted.values("reach_http_status_code") == ["0"], "its server answers, but the target is down")
        counted.hear(.reply(reply), from: "Shop")
        #expect(counted.values("reach_http_status_code") == ["200"])
        var never = Counted(.make("Shop", url: "https://shop.example.com/"))
        #expect(never.values("reach_http_status_code") == [])
        never.hear(.timeout, from: "Shop")
        #expect(never.values("reach_http_status_code") == ["0"])
    }

    @Test func `other buckets begin all histograms again, and the same ones do not`() {
        var counted = Counted(.make())
        counted.hear(.reply(roundTrip: .milliseconds(3)))
        counted.metrics.setBuckets(Settings.standardBuckets)
        #expect(counted.values("reach_round_trip_seconds_count") == ["1"])
        counted.metrics.setBuckets([.milliseconds(2), .milliseconds(20)])
        #expect(counted.values("reach_round_trip_seconds") == ["0", "0", "0", "0.0", "0"])
        for milliseconds in [1, 2, 3, 30] { counted.hear(.reply(roundTrip: .milliseconds(milliseconds))) }
        let nas = #"target="NAS",group="",method="tcp""#
        #expect(
            counted.lines().filter { $0.hasPrefix("reach_round_trip_seconds") } == [
                #"reach_round_trip_seconds_bucket{\#(nas),le="0.002"} 2"#,
                #"reach_round_trip_seconds_bucket{\#(nas),le="0.02"} 3"#,
                #"reach_round_trip_seconds_bucket{\#(nas),le="+Inf"} 4"#,
                "reach_round_trip_seconds_sum{\(nas)} 0.036", "reach_round_trip_seconds_count{\(nas)} 4",
            ]
        )
        #expect(counted.values("reach_probes_total") == ["5", "0", "0", "0"])
    }

    @Test func `a summary has percentiles of the last round trips in place of buckets`() {
        var counted = Counted(.make())
        for milliseconds in 1...20 { counted.hear(.reply(roundTrip: .milliseconds(milliseconds))) }
        let lines = counted.lines(detail: .summary).filter { $0.contains("reach_round_trip_seconds") }
        let nas = #"target="NAS",group="",method="tcp""#
        #expect(
            lines.filter { !$0.hasPrefix("#") } == [
                #"reach_round_trip_seconds{\#(nas),quantile="0.5"} 0.01"#,
                #"reach_round_trip_seconds{\#(nas),quantile="0.95"} 0.019"#,
                #"reach_round_trip_seconds{\#(nas),quantile="1.0"} 0.02"#,
                "reach_round_trip_seconds_sum{\(nas)} 0.21", "reach_round_trip_seconds_count{\(nas)} 20",
            ]
        )
        #expect(lines.contains("# TYPE reach_round_trip_seconds summary"))
    }

    @Test func `the basic detail has at most eight series for a target`() {
        var counted = Counted(.make("Shop", url: "https://shop.example.com/", hooks: [.make(on: [.up])]))
        let reply = Reply(roundTrip: .milliseconds(9), certificateExpiry: 1_800_000_000, httpStatus: 200)
        counted.hear(.reply(reply), from: "Shop")
        let names = counted.lines(detail: .basic).filter { $0.contains(#"target="Shop""#) }.map {
            $0.prefix { $0 != "{" }
        }
        #expect(
            names == [
                "reach_up", "reach_last_round_trip_seconds", "reach_loss_ratio",
                "reach_certificate_not_after_timestamp_seconds", "reach_http_status_code", "reach_target_info",
            ]
        )
    }

    @Test func `only a failing target has a series that says since when, and why`() {
        var counted = Counted(.make("Shop"))
        counted.hear(.reply(roundTrip: .milliseconds(9)), from: "Shop")
        #expect(counted.lines(detail: .basic).allSatisfy { !$0.hasPrefix("reach_failing_since_timestamp_seconds{") })
        counted.hear(
            .failure(Failure(.refused)),
            .failure(Failure(.refused)),
            .failure(Failure(.refused)),
            from: "Shop"
        )
        let lines = counted.lines(detail: .basic).filter { $0.hasPrefix("reach_failing_since_timestamp_seconds{") }
        #expect(lines.count == 1 && lines[0].contains(#"health="down",reason="refused"}"#), "\(lines)")

        var slow = Counted(.make("Shop", slow: .milliseconds(500)))
        for _ in 1...3 { slow.hear(.reply(roundTrip: .milliseconds(900)), from: "Shop") }
        let failing = slow.lines(detail: .basic).filter { $0.hasPrefix("reach_failing_since_timestamp_seconds{") }
        #expect(failing.count == 1 && failing[0].contains(#"health="degraded",reason="slow"}"#), "\(failing)")
    }

    @Test func `targets are counted by group and health`() {
        var counted = Counted(.make("Shop", group: "Web"), .make("API", group: "Web"), .make("NAS"))
        counted.hear(.reply(roundTrip: .milliseconds(9)), from: "Shop")
        let lines = counted.lines(detail: .basic).filter { $0.hasPrefix("reach_targets{") }
        #expect(lines.contains(#"reach_targets{group="Web",health="up"} 1"#), "\(lines)")
        #expect(lines.contains(#"reach_targets{group="Web",health="unknown"} 1"#))
        #expect(lines.contains(#"reach_targets{group="",health="unknown"} 1"#))
        #expect(lines.count == 8)
    }

    @Test(arguments: [(1_000, MetricsDetail.histograms), (1_001, .basic)])
    func `more than a thousand targets have basic metrics by default`(count: Int, detail: MetricsDetail) {
        #expect(MetricsDetail(targets: count) == detail)
    }

    @Test func `hook runs are counted by their end, and a retry is the same run`() throws {
        var counted = Counted(.make(hooks: [.make(on: [.up]), .make(on: [.change])]))
        counted.hear(.reply(roundTrip: .zero), .timeout, .timeout, .timeout, .reply(roundTrip: .zero))
        let run = try #require(counted.story.runs.first { $0.context.event == .up })
        let result = { (code: Int) in HookResult(status: .exited(code), duration: .zero) }
        for report in [
            HookReport.started(run), .retrying(run, after: .zero), .finished(run, result(1)),
            .finished(run, result(0)), .finished(run, result(0)), .dropped(run, .obsolete),
        ] { counted.metrics.record(report) }
        #expect(counted.values("reach_hook_runs_total") == ["2", "1", "1", "0", "0", "0"])
        #expect(counted.values("reach_hooks_skipped_total") == ["0", "0", "0", "0", "0", "1", "0", "0", "0", "0", "0"])
    }

    @Test func `a hook that is skipped before it would run is counted by the reason`() {
        var counted = Counted(.make(fall: 1, hooks: [.make(on: [.up], minDown: .seconds(60))]))
        counted.hear(.reply(roundTrip: .zero), .timeout, .reply(roundTrip: .zero))
        #expect(counted.values("reach_hooks_skipped_total") == ["0", "0", "1", "0", "0", "0", "0", "0", "0", "0", "0"])
        #expect(counted.values("reach_hook_runs_total") == ["0", "0", "0"])
    }

    @Test func `replies to a blocked target do not count`() {
        var child = Target.make("NAS")
        child.dependsOn = [.target("Router")]
        var counted = Counted(.make("Router", fall: 1), child)
        counted.hear(.reply(roundTrip: .zero), from: "NAS")
        counted.hear(.timeout, from: "Router")
        #expect(counted.story["NAS"]?.isProbed == false)
        counted.hear(.timeout, .timeout, from: "NAS")
        #expect(counted.values(#"reach_probes_total{target="NAS""#) == ["1", "0", "0", "0"])
    }

    @Test func `a reload keeps the counts, and ends the series of removed targets`() {
        var counted = Counted(.make("A"), .make("B"))
        counted.hear(.timeout, from: "A")
        let settings = Settings(targets: [.make("C"), .make("A", group: "New")])
        counted.story.take(counted.story.roster.apply(settings, at: .seconds(9)))
        counted.metrics.apply(counted.story.roster)
        let probes = counted.lines().filter { $0.contains(#"outcome="timeout""#) }
        #expect(
            probes == [
                #"reach_probes_total{target="C",group="",method="tcp",outcome="timeout"} 0"#,
                #"reach_probes_total{target="A",group="New",method="tcp",outcome="timeout"} 1"#,
            ]
        )
    }

    @Test func `no name breaks a line or a label`() {
        let name = "a\"b\\c\nd\r\ne\\n{}=,#é👩‍🚀"
        let counted = Counted(.make(name, group: "\n"))
        let labels = "target=\"a\\\"b\\\\c\\nd\r\\ne\\\\n{}=,#é👩‍🚀\",group=\"\\n\",method=\"tcp\""
        let text = counted.metrics.exposition(
            of: counted.story.roster,
            program: ProgramFigures(version: "", startTime: .zero),
            wall: WallTime(start: .zero)
        ).text(in: .text).joined()
        #expect(text.contains("\nreach_round_trip_seconds_count{\(labels)} 0\n"))
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let line = String(Substring(line))
            #expect(["reach_", "process_", "# "].contains { line.hasPrefix($0) }, "\(line)")
        }
    }
}
