import ReachMonitoring
import ReachScreen
import TestSupport

@testable import ReachDashboard

extension Scene {
    /// A scene with everything that the screen can show: targets that are up, slow, pending, down, blocked, paused,
    /// flapping, unknown and faulty; short, wide and long names; finished hook runs, and an armed hook.
    static let evening = makeEvening(
        printer: "打印机",
        staging: "Staging 🚧",
        books: "Buchhaltung der Niederlassung Zürich, zweiter Rechner"
    )

    /// The same with names in ASCII.
    static let plainEvening = makeEvening(
        printer: "Printer",
        staging: "Staging",
        books: "Accounts of the subsidiary in Zurich, second machine"
    )

    /// The evening on a screen of this size.
    static func evening(columns: Int, rows: Int) -> Scene {
        var scene = evening
        scene.send(.resize(Size(columns: columns, rows: rows)))
        return scene
    }

    private static func makeEvening(printer: String, staging: String, books: String) -> Scene {
        let shopHook = HookRule.make(
            on: [.down, .degraded],
            "notify-send 'Shop is in trouble'",
            cooldown: .seconds(600)
        )
        var blocked = Target.make(printer, url: "icmp://192.168.1.9", group: "Home")
        blocked.dependsOn = [.target("Switch")]
        var shop = Target.make(
            "Shop",
            url: "https://shop.example.com/health",
            group: "Cloud",
            slow: .milliseconds(500),
            hooks: [shopHook]
        )
        shop.dependsOn = [.target("Router"), .link]
        var scene = Scene([
            .make("Router", url: "icmp://192.168.1.1", group: "Home"),
            .make(
                "NAS",
                url: "tcp://nas.local:445",
                group: "Home",
                hooks: [.make(on: [.up, .down], "mount /mnt/nas")]
            ),
            .make("Switch", url: "icmp://192.168.1.2", group: "Home"), blocked,
            .make("Gateway v6", url: "icmp://fe80::1%eth0", group: "Home"),
            .make("Radio", url: "icmp://192.168.1.8", group: "Home", fall: 1), shop,
            .make("API", url: "tcp://api.example.com:443", group: "Cloud"),
            .make(staging, url: "tcp://staging.example.com:443", group: "Cloud"),
            .make(books, url: "tcp://accounts-2.zurich.subsidiary.example.com:8443", group: "Cloud"),
            .make("Resolver", url: "udp://9.9.9.9:53", group: "Cloud"), .make("Uplink", url: "link:any"),
        ])
        let roles = [printer: "printer", staging: "staging", books: "books"]
        var random = SplitMix(seed: 4)
        for second in 0..<150 {
            scene.receiveAll { _, state in
                let name = state.target.name
                return outcome(of: roles[name] ?? name, in: second, using: &random)
            }
            if second == 104 {
                scene.select(staging)
                scene.press(.character(" "))
            }
        }
        scene.finishHooks()
        scene.select("NAS")
        scene.press(.character("x"))
        scene.type("30m: rsync -a ~/photos /mnt/nas/photos --delete --partial --bwlimit=2M")
        scene.press(.enter)
        scene.wait(.seconds(5))
        return scene
    }

    /// The outcome of a target in a second of the evening; nil is no outcome.
    private static func outcome(of name: String, in second: Int, using random: inout SplitMix) -> Outcome? {
        func reply(_ milliseconds: ClosedRange<Double>, times factor: Double = 1) -> Outcome {
            .reply(roundTrip: .microseconds(Int(.random(in: milliseconds, using: &random) * factor * 1_000)))
        }
        switch name {
        case "Router": return reply(0.9...2.1, times: second == 131 ? 9 : 1)
        case "NAS":
            let isDown = (60..<70).contains(second) || second >= 127
            return isDown ? .failure(Failure(.refused)) : reply(0.5...0.9)
        case "Switch": return second < 141 ? reply(1.1...1.9) : .timeout
        case "printer": return second < 141 ? reply(2...5) : nil
        case "Gateway v6": return second == 3 ? .fault(Fault(.permission, detail: "no permission")) : nil
        case "Radio": return second > 120 && second.isMultiple(of: 2) ? .timeout : reply(30...90)
        case "Shop":
            let isBad = (70..<76).contains(second) || second == 106
            guard !isBad else { return .failure(Failure(.httpStatus, detail: "HTTP 503 Service Unavailable")) }
            let mean = second > 120 ? 780.0 : second == 100 ? 4_800 : 120
            let factor = Double.random(in: 0.9...1.25, using: &random)
            return .reply(Self.reply(.microseconds(Int(mean * factor * 1_000))))
        case "API": return second < 148 ? reply(38...52) : .failure(Failure(.refused))
        case "staging": return second < 104 ? reply(80...120) : nil
        case "books": return second.isMultiple(of: 40) ? .timeout : reply(55...65)
        case "Uplink": return .reply(Reply(roundTrip: nil, detail: "wired"))
        default: return nil
        }
    }

    /// The reply of a web server, with all details.
    private static func reply(_ roundTrip: Duration) -> Reply {
        let parts: [(Phase, Double)] = [
            (.resolve, 0.004), (.connect, 0.034), (.tls, 0.07), (.processing, 0.845), (.transfer, 0.047),
        ]
        return Reply(
            roundTrip: roundTrip,
            phases: parts.map { Reply.PhaseTime($0, roundTrip * $1) },
            detail: "HTTP 200",
            certificateExpiry: Int64(Self.wall.start.components.seconds) + 61 * 86_400
        )
    }

    /// Finishes the requested hook runs except the last one, which keeps running.
    private mutating func finishHooks() {
        let runs = effects.flatMap(\.runs)
        for run in runs {
            send(.hook(.started(run)))
            guard run.id != runs.last?.id else { continue }
            let isMount = run.context.name == "NAS"
            let result = HookResult(
                status: .exited(isMount ? 32 : 0),
                duration: .milliseconds(isMount ? 1_200 : 40),
                output: isMount ? "mount: /mnt/nas: already mounted\ntry umount first\n" : ""
            )
            send(.hook(.finished(run, result)))
        }
    }
}

/// An invented history of each target before the start of a scene.
enum SimulatedHistory {
    /// Local time in Berlin, with the end of summer time on 25 October 2026.
    static let zone = ZoneOffsets(
        .seconds(7_200),
        changes: [.init(at: .seconds(1_792_890_000), to: .seconds(3_600))]
    )
    private static let start = Scene.wall.start

    static func answer(_ request: HistoryRequest) -> HistoryAnswer {
        switch request {
        case .pasts(let assignments):
            let pasts = assignments.map { ($0.id, TargetPast(spans(of: $0.target))) }
            return .pasts(Dictionary(pasts) { _, new in new })
        case .figures(let assignment, _):
            var past = TargetPast(spans(of: assignment.target))
            past.figures = past.spans.isEmpty ? nil : figures
            return .figures(assignment.id, past)
        case .availability(let assignments):
            let all = assignments.compactMap { assignment -> (Target.ID, PeriodAvailability)? in
                let spans = spans(of: assignment.target)
                return spans.isEmpty ? nil : (assignment.id, PeriodAvailability(spans, at: start))
            }
            return .availability(Dictionary(all) { _, new in new })
        case .hookRuns:
            return .hookRuns(StoredPast())
        case .chart(let assignment, let period):
            let hours = (0..<period.count).map { period.start + period.step * $0 }.map { $0.components.seconds / 3_600 }
            let chart = StoredChart(
                period,
                minutes: [:],
                hours: Dictionary(hours.map { ($0, figures) }) { $1 }
            )
            return .chart(assignment.id, chart)
        case .moment(let time, let assignments):
            var moment = StoredMoment(at: time)
            moment.start = assignments.compactMap { spans(of: $0.target).first?.start }.min()
            for assignment in assignments {
                guard let span = spans(of: assignment.target).last(where: { $0.start <= time && time < $0.end }),
                    let health = Health(rawValue: span.state.rawValue)
                else { continue }
                let event = HistoryEvent(.transition, at: span.start, to: health, detail: span.cause)
                moment.targets[assignment.id] = .init()
                moment.targets[assignment.id]?.events = [event]
                moment.events.append(TargetEvent(assignment.id, event))
            }
            return .moment(moment)
        }
    }

    private static let figures = ProbeFigures(
        sent: 777_600,
        lost: 312,
        roundTrips: .init(
            p50: RoundTripBucket(.microseconds(700)),
            p95: RoundTripBucket(.microseconds(1_900)),
            p99: RoundTripBucket(.milliseconds(4)),
            longest: RoundTripBucket(.milliseconds(910))
        )
    )

    /// The spans: the same for the same URL. Some targets are watched for less than 90 days, those with an A not at all.
    private static func spans(of target: Target) -> [WatchedSpan] {
        var random = SplitMix(seed: target.question.url.utf8.reduce(UInt64(17)) { $0 &* 31 &+ UInt64($1) })
        let isWatched = !target.name.hasPrefix("A")
        let days = isWatched ? [12, 55, 90, 90, 90, 90].randomElement(using: &random) ?? 90 : 0
        var spans: [WatchedSpan] = []
        var time = start - .seconds(days * 86_400)
        func add(_ state: WatchedSpan.State, _ length: Int, because cause: String? = nil) {
            let end = min(start - .seconds(40), time + .seconds(length))
            if end > time { spans.append(WatchedSpan(state, from: time, until: end, because: cause)) }
            time = max(time, end)
        }
        while time < start - .seconds(40) {
            add(.up, Int.random(in: 3 * 3_600...16 * 86_400, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: add(.degraded, Int.random(in: 60..<7_200, using: &random))
            case 1: add(.paused, Int.random(in: 3_600..<3 * 86_400, using: &random))
            case 2: time += .seconds(Int.random(in: 600..<86_400, using: &random))
            case 3: add(.blocked, Int.random(in: 60..<20_000, using: &random))
            default:
                let cause = ["timeout", "refused", "no route to host"].randomElement(using: &random)
                add(.down, Int.random(in: 20..<9_000, using: &random), because: cause)
            }
        }
        return spans
    }
}

extension Scene {
    /// Answers the requests for the history since an index of the effects.
    mutating func answerHistory(from index: Int = 0) {
        var index = index
        while index < effects.count {
            if case .readHistory(let request) = effects[index] {
                send(.history(SimulatedHistory.answer(request), SimulatedHistory.zone))
            }
            index += 1
        }
    }

    /// Answers one of the requests for the history, counted from zero.
    mutating func answerHistory(number: Int) {
        let requests = effects.compactMap { effect in
            if case .readHistory(let request) = effect { request } else { nil }
        }
        send(.history(SimulatedHistory.answer(requests[number]), SimulatedHistory.zone))
    }

    /// Presses keys, and answers the requests for the history that follow.
    mutating func pressWithHistory(_ keys: Key...) {
        for key in keys {
            let before = effects.count
            press(key)
            answerHistory(from: before)
        }
    }

    /// Reports that the history cannot be read.
    mutating func refuseHistory(_ problem: String = "the history is off") {
        send(.history(.unreadable(problem), SimulatedHistory.zone))
    }
}
