import Monitoring
import Probing
import Testing

@testable import reach

struct CheckupTests {
    private let fine = Diagnosis(
        echo: [.v4: .datagram, .v6: .raw],
        links: [Diagnosis.Link(name: "eth0", trouble: nil)],
        ways: [
            .v4: Diagnosis.WayOut(interface: "eth0", kind: "wired", source: "192.0.2.7"),
            .v6: Diagnosis.WayOut(interface: "eth0", kind: nil, source: "2001:db8::7"),
        ],
        resolvers: ["192.0.2.53"],
        lookups: [
            Diagnosis.Lookup(name: "localhost", addresses: ["127.0.0.1"], duration: .milliseconds(1)),
            Diagnosis.Lookup(name: "example.com", addresses: ["192.0.2.80"], duration: .milliseconds(12)),
        ],
        descriptors: DescriptorLimit(soft: 1_024, hard: 20_000)
    )

    private func lines(_ change: (inout Diagnosis) -> Void = { _ in }, isRoot: Bool = false) -> [CheckupLine] {
        var diagnosis = fine
        change(&diagnosis)
        let surroundings = Surroundings(isTerminal: true, isRoot: isRoot, environment: ["TERM": "xterm"])
        return Checkup(diagnosis: diagnosis, surroundings: surroundings).lines
    }

    private func problems(_ change: (inout Diagnosis) -> Void) -> [String] {
        lines(change).filter { $0.mark == .problem }.map(\.text)
    }

    @Test func `where all is fine, every line says so`() {
        let text = lines().map(\.text).joined(separator: "\n")
        #expect(
            text == """
                ok  ICMP over IPv4    by a datagram socket, which takes no privilege
                ok  ICMP over IPv6    by a raw socket, as this user may
                ok  Way out by IPv4   eth0, wired, from 192.0.2.7
                ok  Way out by IPv6   eth0, from 2001:db8::7
                ok  Local names       localhost is 127.0.0.1, in 1 ms
                ok  Resolver          example.com is 192.0.2.80, in 12 ms
                ok  Descriptors       1024 of at most 20000, raised to 20000 at start
                ok  Terminal          xterm
                ok  Characters        UTF-8
                ok  Colours           the sixteen of the terminal's palette
                """
        )
    }

    @Test func `what is not permitted names its cures, as the user has to type them`() {
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
        #expect(lines(refused, isRoot: true)[0].cures == ["sysctl -w a=b", "setcap c reach"])
    }

    @Test func `a machine without IPv6 has no problem`() {
        let fault = Fault(.internal, detail: "this machine does not speak the address's protocol")
        let lines = lines {
            $0.echo[.v6] = .refused(fault)
            $0.ways[.v6] = nil
        }
        #expect(lines.map(\.mark).filter { $0 == .absent }.count == 2)
        #expect(!lines.contains { $0.mark == .problem })
    }

    @Test func `no way out is one problem, whose cure depends on the links`() {
        #expect(
            problems { $0.ways = [:] } == [
                """
                !!  Way out by IPv4   no default route
                                      sudo ip route add default via ROUTER
                """
            ]
        )
        let down = Diagnosis.Link(name: "eth0", trouble: "eth0 is down")
        #expect(
            problems {
                $0.ways = [:]
                $0.links = [down]
            } == [
                """
                !!  Way out by IPv4   eth0 is down
                                      sudo ip link set eth0 up
                """
            ]
        )
    }

    @Test func `a resolver that says that there is no such name answers, a silent one does not`() {
        func ask(_ failure: Failure) -> (inout Diagnosis) -> Void {
            let lookup = Diagnosis.Lookup(
                name: "example.com",
                addresses: [],
                failure: failure,
                duration: .seconds(6)
            )
            return { $0.lookups[1] = lookup }
        }
        #expect(problems(ask(Failure(.nameNotFound))).isEmpty)
        #expect(
            problems(ask(Failure(.resolverFailed))) == [
                """
                !!  Resolver          no answer for example.com from 192.0.2.53, in 6000 ms
                                      reach watch icmp://192.0.2.53 dns://192.0.2.53/example.com
                """
            ]
        )
    }

    @Test func `too few descriptors are a problem`() {
        let text = problems { $0.descriptors = DescriptorLimit(soft: 64, hard: 64) }.joined()
        #expect(text.contains("sudo prlimit --pid $$ --nofile=65536:65536"))
    }

    @Test func `no terminal is none, and a poor one is drawn on poorly`() {
        func marks(_ environment: [String: String], isTerminal: Bool = true) -> [CheckupLine.Mark] {
            Surroundings(isTerminal: isTerminal, isRoot: false, environment: environment).lines.map(\.mark)
        }
        #expect(marks([:], isTerminal: false) == [.absent])
        #expect(marks(["TERM": "xterm", "LANG": "C", "NO_COLOR": "1"]) == [.ok, .absent, .absent])
        #expect(marks(["TERM": "dumb"]) == [.problem, .ok, .absent])
    }
}
