import ReachMonitoring
import ReachProbing
import Testing

@testable import reach

struct DoctorReportTests {
    private let healthy = Diagnosis(
        echo: [.v4: .datagram, .v6: .raw],
        links: [Diagnosis.Link(name: "eth0", problem: nil)],
        routes: [
            .v4: Diagnosis.OutboundRoute(interface: "eth0", kind: "wired", source: "192.0.2.7"),
            .v6: Diagnosis.OutboundRoute(interface: "eth0", kind: nil, source: "2001:db8::7"),
        ],
        resolvers: ["192.0.2.53"],
        lookups: [
            Diagnosis.Lookup(name: "localhost", addresses: ["127.0.0.1"], duration: .milliseconds(1)),
            Diagnosis.Lookup(name: "example.com", addresses: ["192.0.2.80"], duration: .milliseconds(12)),
        ],
        descriptors: DescriptorLimit(soft: 1_024, hard: 20_000)
    )

    private func checks(_ change: (inout Diagnosis) -> Void = { _ in }, isRoot: Bool = false) -> [DoctorCheck] {
        var diagnosis = healthy
        change(&diagnosis)
        let environment = TerminalEnvironment(isTerminal: true, isRoot: isRoot, variables: ["TERM": "xterm"])
        return DoctorReport(diagnosis: diagnosis, environment: environment).checks
    }

    private func problems(_ change: (inout Diagnosis) -> Void) -> [String] {
        checks(change).filter { $0.status == .problem }.map(\.text)
    }

    @Test func `without problems, every check is ok`() {
        let text = checks().map(\.text).joined(separator: "\n")
        #expect(
            text == """
                ok  ICMP over IPv4    permitted, by an unprivileged datagram socket
                ok  ICMP over IPv6    permitted, by a raw socket
                ok  Paths             traced by ICMP, UDP and TCP
                ok  Route over IPv4   eth0, wired, source 192.0.2.7
                ok  Route over IPv6   eth0, source 2001:db8::7
                ok  Local names       localhost: 127.0.0.1 in 1.0ms
                ok  Resolver          example.com: 192.0.2.80 in 12ms
                ok  Descriptors       1024, hard limit 20000, raised to 20000 at start
                ok  Terminal          xterm
                ok  Characters        UTF-8
                ok  Colours           16
                """
        )
    }

    @Test func `a missing permission lists its fixes, with sudo unless the user is root`() {
        let fault = Fault(.permission, detail: "ICMP is not permitted", cures: ["sysctl -w a=b", "setcap c reach"])
        let refused: (inout Diagnosis) -> Void = { $0.echo[.v4] = .refused(fault) }
        #expect(
            problems(refused) == [
                """
                !!  ICMP over IPv4    ICMP is not permitted
                                      sudo sysctl -w a=b
                                      or sudo setcap c reach
                """
            ]
        )
        #expect(checks(refused, isRoot: true)[0].fixes == ["sysctl -w a=b", "setcap c reach"])
    }

    @Test func `a machine without IPv6 has no problem`() {
        let fault = Fault(.internal, detail: "this machine does not speak the address's protocol")
        let checks = checks {
            $0.echo[.v6] = .refused(fault)
            $0.routes[.v6] = nil
        }
        #expect(checks.map(\.status).filter { $0 == .absent }.count == 2)
        #expect(!checks.contains { $0.status == .problem })
    }

    @Test func `a missing default route is one problem, and its fix depends on the links`() {
        #expect(
            problems { $0.routes = [:] } == [
                """
                !!  Route over IPv4   no default route
                                      sudo ip route add default via ROUTER
                """
            ]
        )
        let down = Diagnosis.Link(name: "eth0", problem: "eth0 is down")
        #expect(
            problems {
                $0.routes = [:]
                $0.links = [down]
            } == [
                """
                !!  Route over IPv4   eth0 is down
                                      sudo ip link set eth0 up
                """
            ]
        )
    }

    @Test func `a resolver that replies that a name does not exist works, a silent one is a problem`() {
        func failedLookup(_ failure: Failure) -> (inout Diagnosis) -> Void {
            let lookup = Diagnosis.Lookup(
                name: "example.com",
                addresses: [],
                failure: failure,
                duration: .seconds(6)
            )
            return { $0.lookups[1] = lookup }
        }
        #expect(problems(failedLookup(Failure(.nameNotFound))).isEmpty)
        let unknown = checks(failedLookup(Failure(.nameNotFound, detail: "example.com not found")))
        #expect(
            unknown.first { $0.subject == "Resolver" }
                == DoctorCheck(status: .absent, subject: "Resolver", detail: "replied in 6.0s: example.com not found")
        )
        #expect(
            problems(failedLookup(Failure(.resolverFailed))) == [
                """
                !!  Resolver          lookup of example.com by 192.0.2.53 failed in 6.0s
                                      reach watch icmp://192.0.2.53 dns://192.0.2.53/example.com
                """
            ]
        )
    }

    @Test func `too few descriptors are a problem`() {
        let text = problems { $0.descriptors = DescriptorLimit(soft: 64, hard: 64) }.joined()
        #expect(text.contains("sudo prlimit --pid $$ --nofile=65536:65536"))
    }

    @Test func `a missing terminal is no problem, and missing capabilities are listed`() {
        func statuses(_ variables: [String: String], isTerminal: Bool = true) -> [DoctorCheck.Status] {
            TerminalEnvironment(isTerminal: isTerminal, isRoot: false, variables: variables).checks.map(\.status)
        }
        #expect(statuses([:], isTerminal: false) == [.absent])
        #expect(statuses(["TERM": "xterm", "LANG": "C", "NO_COLOR": "1"]) == [.ok, .absent, .absent])
        #expect(statuses(["TERM": "dumb"]) == [.problem, .ok, .absent])
    }
}
