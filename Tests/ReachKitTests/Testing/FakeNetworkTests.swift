import ReachKit
import ReachKitTesting
import TestSupport
import Testing

/// Tests as those of a program that uses the library.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct FakeNetworkTests {
    private let clock = ManualClock()
    private let network: FakeNetwork

    init() {
        network = FakeNetwork(clock: clock)
    }

    private func host(_ text: String = "nas.local") -> Reachability {
        Reachability(of: text, prober: network.prober)
    }

    @Test func `a host that replies is reachable without waiting`() async {
        network.set("nas.local", to: .reply())
        #expect(await host().check() == .reachable(via: .wired))
        #expect(network.probeCount == 1)
        while !network.probedURLs.isEmpty { await Task.yield() }
    }

    @Test func `a refused connection needs three probes, a second apart`() async {
        network.set("nas.local", to: .failure(.refused))
        let host = host("http://nas.local/")
        let check = Task { await host.check() }
        while network.probeCount < 1 { await Task.yield() }
        await clock.advance(by: .seconds(2))
        #expect(await check.value == .unreachable(.failure(Failure(.refused))))
        #expect(network.probeCount == 3)
    }

    @Test func `without a script, a host does not answer`() async {
        let host = host()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        await clock.advance(by: .seconds(10))
        #expect(await changes.next() == .unreachable(.timeout))
    }

    @Test(arguments: [1, 5, 60])
    func `a script over time is the same in one step and in many`(_ step: Int) async throws {
        network.set("nas.local", to: .reply())
        network.set("nas.local", to: .noReply, after: .seconds(10))
        network.set("nas.local", to: .reply(after: .milliseconds(20)), after: .seconds(30))
        let target = try Target("http://nas.local/", interval: .seconds(5))
        let monitor = try Monitor([target], firstProbes: .atOnce, prober: network.prober)
        var events = monitor.events.makeAsyncIterator()
        for _ in 0..<(60 / step) { await clock.advance(by: .seconds(step)) }
        var transitions: [Monitor.Transition] = []
        while transitions.count < 3, let batch = await events.next() {
            for case .transition(_, let transition) in batch { transitions.append(transition) }
        }
        #expect(transitions.map(\.to) == [.up, .down, .up])
        // The probes at 10, 15 and 16 s are lost after their timeout of five seconds.
        #expect(transitions.map(\.began) == [.zero, .seconds(10), .milliseconds(30_020)])
    }

    @Test func `an operation waits for a reply within its limit`() async {
        let host = host("nas.local:445")
        let early = host.whenReachable(within: .seconds(20)) { "early" }
        let late = host.whenReachable(within: .seconds(60)) { "late" }
        network.set("nas.local:445", to: .reply(), after: .seconds(30))
        await clock.advance(by: .seconds(25))
        #expect(await early.value == .expired)
        await clock.advance(by: .seconds(10))
        #expect(await late.value == .performed("late"))
    }

    @Test func `the most specific script decides`() async {
        network.set("nas.local", to: .reply())
        network.set("nas.local:445", to: .failure(.refused))
        network.set("http://nas.local/health", to: .fault(Fault(.tooManyFiles, detail: "too many open files")))
        #expect(await host("nas.local:22").check() == .reachable(via: .wired))
        var changes = host("tcp://nas.local:445").changes.dropFirst().makeAsyncIterator()
        await clock.advance(by: .seconds(9))
        #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
        guard case .unreachable(.fault) = await host("http://nas.local/health").check() else {
            Issue.record("no fault")
            return
        }
    }

    @Test func `without a link, nothing is reachable, and routes change at once`() async {
        network.set("nas.local", to: .reply())
        let internet = Reachability(of: .internet, prober: network.prober)
        var changes = internet.changes.dropFirst().makeAsyncIterator()
        #expect(await changes.next() == .reachable(via: .wired))
        network.setLink(nil)
        #expect(await changes.next() == .unreachable(.failure(Failure(.noRoute))))
        network.setLink(.cellular)
        #expect(await changes.next() == .reachable(via: .cellular))
        let host = host()
        #expect(await host.check() == .reachable(via: .cellular))
        let task = host.whenReachable(allowCellular: false) { 7 }
        network.setLink(.wifi, after: .seconds(30))
        await clock.advance(by: .seconds(31))
        #expect(await task.value == .performed(7))
    }

    @Test func `the path to the network follows the link, or the script`() async {
        let wired = NetworkPath(
            isExpensive: false,
            isConstrained: false,
            supportsDNS: true,
            supportsIPv4: true,
            supportsIPv6: false,
            interfaces: [NetworkPath.Interface(name: "eth0", link: .wired)]
        )
        #expect(await network.prober.networkPath() == wired)
        network.setLink(nil, after: .seconds(1))
        network.setLink(.cellular, after: .seconds(2))
        network.setPath(NetworkPath(isConstrained: true), after: .seconds(5))
        var paths = network.prober.networkPaths.makeAsyncIterator()
        #expect(await paths.next() == wired)
        await clock.advance(by: .seconds(1))
        #expect(await paths.next()?.interfaces == [])
        await clock.advance(by: .seconds(1))
        let cellular = await paths.next()
        #expect(cellular?.interfaces == [NetworkPath.Interface(name: "wwan0", link: .cellular)])
        #expect(cellular?.isExpensive == true)
        await clock.advance(by: .seconds(3))
        #expect(await paths.next() == NetworkPath(isConstrained: true))
    }

    @Test func `a wait can exclude expensive and constrained paths`() async throws {
        network.set("nas.local", to: .reply())
        network.setPath(NetworkPath(isExpensive: true, isConstrained: true))
        network.setPath(NetworkPath(isExpensive: false, isConstrained: true), after: .seconds(10))
        network.setPath(NetworkPath(), after: .seconds(20))
        let host = host()
        let start = clock.now
        let time = { @Sendable [clock] in start.duration(to: clock.now) }
        let any = host.whenReachable { time() }
        let cheap = host.whenReachable(within: .seconds(30), allowExpensive: false) { time() }
        let plain = host.whenReachable(allowExpensive: false, allowConstrained: false) { time() }
        let early = host.whenReachable(within: .seconds(15), allowConstrained: false) { time() }
        await clock.advance(by: .seconds(60))
        #expect(await any.value == .performed(.zero))
        #expect(await cheap.value == .performed(.seconds(10)))
        #expect(await plain.value == .performed(.seconds(20)))
        #expect(await early.value == .expired)
        try await host.waitUntilReachable(within: .zero, allowExpensive: false, allowConstrained: false)
    }

    @Test func `an invalid subject is not waited for, whatever the path is`() async {
        #expect(await host("a b").whenReachable(allowExpensive: false) { 7 }.value == .expired)
    }

    @Test(arguments: [
        ("a b", "blank"), ("", "empty"), ("link:eth0", "setLink"), ("exec:true", "exec:"),
        ("htps://nas.local", "did you mean"),
    ])
    func `a place that no target can have is an error`(_ place: String, _ expected: String) {
        let error = #expect(throws: URLProblem.self) { try FakeNetwork.key(of: place) }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "none")")
    }

    @Test func `an invalid place ends the test with the problem`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            FakeNetwork().set("a b", to: .reply())
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("set(\"a b\", …): "))
    }

    @Test func `a service is scripted for every method`() async {
        network.set("nas.local:80", to: .reply())
        #expect(await host("http://nas.local/health").check() == .reachable(via: .wired))
        network.set("[2001:db8::1]:443", to: .reply())
        #expect(await host("https://[2001:db8::1]/").check() == .reachable(via: .wired))
    }

    @Test func `a session follows its peer`() async throws {
        network.set("cache.local", to: .reply())
        let session = try Session(to: "cache.local", port: 6_379, prober: network.prober)
        var states = session.states.makeAsyncIterator()
        for state in [Session.State.setup, .preparing, .ready(address: "192.0.2.1")] {
            #expect(await states.next() == state)
        }
        network.set("cache.local", to: .failure(.reset))
        #expect(await states.next() == .failed(.failure(Failure(.reset))))
        network.set("cache.local", to: .reply())
        #expect(await states.next() == .preparing)
        #expect(await states.next() == .ready(address: "192.0.2.1"))
    }

    @Test func `a monitor reports the health of its targets`() async throws {
        network.set("nas.local", to: .reply(after: .milliseconds(3)))
        network.set("nas.local", to: .noReply, after: .seconds(60))
        let monitor = try Monitor([try Target("nas.local")], firstProbes: .atOnce, prober: network.prober)
        var healths: [Health] = []
        var events = monitor.events.makeAsyncIterator()
        await clock.advance(by: .seconds(90))
        while healths.count < 2, let batch = await events.next() {
            for case .transition(_, let transition) in batch { healths.append(transition.to) }
        }
        #expect(healths == [.up, .down])
        #expect(monitor.states[0].totals.received == 60)
    }

    @Test func `the clock of the system can be used`() async throws {
        let network = FakeNetwork(clock: ContinuousClock())
        network.set("nas.local", to: .reply(after: .milliseconds(1)))
        try await Reachability(of: "nas.local", prober: network.prober).waitUntilReachable(within: .seconds(30))
    }
}
