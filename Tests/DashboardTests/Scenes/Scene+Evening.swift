import Dashboard
import Monitoring
import Screen
import TestSupport

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
            send(.hook(.started(run), at: now))
            guard run.id != runs.last?.id else { continue }
            let isMount = run.context.name == "NAS"
            let result = HookResult(
                status: .exited(isMount ? 32 : 0),
                duration: .milliseconds(isMount ? 1_200 : 40),
                output: isMount ? "mount: /mnt/nas: already mounted\ntry umount first\n" : ""
            )
            send(.hook(.finished(run, result), at: now))
        }
    }
}
