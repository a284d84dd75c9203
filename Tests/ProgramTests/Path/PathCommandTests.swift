import ArgumentParser
import ReachMonitoring
import ReachReporting
import ReachScreen
import Testing

@testable import reach

/// The targets and the table of `reach path`.
struct PathCommandTests {
    @Test(
        arguments: [
            ("192.0.2.1", nil, "192.0.2.1", PathMethod.icmp, 0), ("nas.local:445", nil, "nas.local", .tcp, 445),
            ("https://example.com/a?b", nil, "example.com", .tcp, 443),
            ("udp://192.0.2.1:500", nil, "192.0.2.1", .udp, 500),
            ("dns://192.0.2.53/example.com", nil, "192.0.2.53", .udp, 53), ("redis://db", nil, "db", .tcp, 6_379),
            ("192.0.2.1", .udp, "192.0.2.1", .udp, 33_434), ("192.0.2.1", .tcp, "192.0.2.1", .tcp, 80),
            ("nas.local:445", .icmp, "nas.local", .icmp, 0), ("nas.local:445", .udp, "nas.local", .udp, 445),
            ("[2001:db8::1]:22", nil, "2001:db8::1", .tcp, 22),
        ] as [(String, PathMethod?, String, PathMethod, UInt16)]
    )
    func `the method and the port are those of the target, or the method of the command line`(
        text: String,
        wanted: PathMethod?,
        host: String,
        method: PathMethod,
        port: UInt16
    ) throws {
        let question = try Question(text)
        let title = try #require(question.title)
        let target = try PathTarget(Target(name: title, question: question), label: title, method: wanted)
        #expect(target.host == host && target.method == method && target.port == port)
        #expect(target.name == host)
    }

    @Test(arguments: ["link:any", "route://192.0.2.1", "exec:"])
    func `a target without packets to a host has no path`(text: String) throws {
        let target = Target(name: "x", question: try Question(text))
        #expect(throws: StartupError("\(target.question.url): no host with a path – name one: reach path 192.0.2.1")) {
            try PathTarget(target, label: target.label, method: nil)
        }
    }

    private func problem(_ arguments: String...) -> String? {
        do {
            _ = try Reach.parseAsRoot(["path"] + arguments)
            return nil
        } catch {
            return Reach.message(for: error)
        }
    }

    @Test func `wrong options are reported with what is valid`() {
        for value in ["0", "abc", "100001"] {
            #expect(problem("--cycles", value, "a")?.contains("must be between 1 and 100000") == true)
        }
        #expect(problem("--flows", "17", "a")?.contains("must be between 1 and 16") == true)
        #expect(problem("--max-hops", "256", "a")?.contains("must be between 1 and 255") == true)
        #expect(problem("--method", "sctp", "a")?.contains("must be icmp, udp or tcp") == true)
        #expect(problem("--json", "--report", "a")?.contains("--json and --report cannot be combined") == true)
        #expect(problem()?.contains("no target – name a host") == true)
        #expect(problem("--cycles", "3", "--json", "a") == nil)
    }

    @Test func `a narrow terminal cuts the names first, then the figures, and never the word`() {
        let rows = [
            ["HOP", "ADDRESS", "NAME", "LOSS", "SENT", "LAST", "MEAN", "BEST", "WORST", "JITTER"],
            ["1", "192.0.2.1", "gate.example", "0%", "10", "1.2ms", "1.2ms", "1.1ms", "1.9ms", "100µs"],
            ["2", "198.51.100.1", String(repeating: "long.", count: 20), "40%", "10", "-", "-", "-", "-", "-"],
        ]
        func lines(_ columns: Int?) -> [String] {
            let layout = PathColumns(rows, wordWidth: 19, hasNames: true, columns: columns)
            return rows.map { layout.text(of: $0, ellipsis: "…") }
        }
        let all = lines(nil)
        #expect(Set(all.map(\.displayWidth)).count == 1 && all[2].contains(String(repeating: "long.", count: 20)))
        #expect(lines(140)[2].contains("…") && lines(140)[0].contains("JITTER"))
        for columns in [30, 40, 50, 60, 80, 100, 140] {
            let text = lines(columns)
            #expect(Set(text.map(\.displayWidth)).count == 1)
            #expect(text[0].displayWidth <= max(columns - 21, 24), "\(columns): \(text[0])")
            #expect(text[0].contains("LOSS"))
        }
        #expect(!lines(80)[0].contains("NAME") || lines(80)[0].contains("JITTER"))
        #expect(lines(60)[0] == "HOP  ADDRESS       LOSS  SENT   LAST")
    }

    @Test func `a file of autonomous systems that cannot be used is one line`() {
        let missing = #expect(throws: StartupError.self) { try PathCommand.systems(in: "/nonexistent/as.tsv") }
        #expect(
            missing?.lines == [
                "/nonexistent/as.tsv: No such file or directory – name ip2asn-combined.tsv of iptoasn.com"
            ]
        )
        let folder = #expect(throws: StartupError.self) { try PathCommand.systems(in: "/") }
        #expect(folder?.lines == ["/: Is a directory – name ip2asn-combined.tsv of iptoasn.com"])
        let invalid = #expect(throws: StartupError.self) { try PathCommand.systems(in: "/proc/self/status") }
        #expect(invalid?.description.hasPrefix("/proc/self/status:1: not FIRST, LAST, NUMBER") == true)
        let endless = #expect(throws: StartupError.self) { try PathCommand.systems(in: "/dev/zero") }
        #expect(endless?.description.hasPrefix("/dev/zero: larger than 256 MiB") == true)
    }
}
