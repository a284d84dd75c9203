import TestSupport
import Testing

@testable import ReachMonitoring

/// A target with `addresses = "each"` has one row until its name is resolved, and then a row for each address.
struct AddressRowTests {
    private let target: Target = {
        let hook = HookRule(on: [.up, .down, .address], run: .command(.shell("true")))
        var target = Target.make("api", url: "tcp://api.test:443", fall: 1, hooks: [hook])
        (target.addresses, target.mayFlap) = (.each, false)
        return target
    }()
    private var roster = Roster()
    private var id = Target.ID(0)

    init() {
        _ = roster.apply(Settings(targets: [target]), at: .zero)
        id = roster.states[0].id
    }

    private func observation(_ id: Target.ID, _ number: Int, _ outcome: Outcome, from address: String? = nil) -> Finding
    {
        let time = Duration.seconds(number)
        return .observation(
            Observation(target: id, sequence: number, sent: time, time: time, outcome: outcome, address: address)
        )
    }

    private var labels: [String] { roster.states.map(\.target.label) }

    @Test mutating func `a name has one row, and then a row for each address`() {
        #expect(labels == ["api"])
        let found = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        #expect(labels == ["api 192.0.2.1", "api 192.0.2.2"])
        #expect(roster.states[0].id == id)
        let second = roster.states[1].id
        #expect(second != id)
        let assignments = roster.states.map { ProbeRequest.Assignment(id: $0.id, target: $0.target) }
        #expect(found.requests == [.watch(assignments), .now([id, second])])
        #expect(found.events.isEmpty && found.removed.isEmpty && found.runs.isEmpty)
        #expect(roster.targets == [target])
    }

    @Test mutating func `each row has its own health`() {
        _ = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        let second = roster.states[1].id
        _ = roster.record([
            observation(id, 2, .reply(Reply(roundTrip: .milliseconds(1))), from: "192.0.2.1"),
            observation(second, 2, .failure(Failure(.refused)), from: "192.0.2.2"),
        ])
        #expect(roster.states.map(\.health) == [.up, .down])
    }

    @Test mutating func `the probe that resolved the name counts only for the row of its address`() {
        let reply = Outcome.reply(Reply(roundTrip: .milliseconds(1)))
        _ = roster.record([
            .addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1)),
            observation(id, 1, reply, from: "192.0.2.2"),
        ])
        #expect(roster.states.map(\.health) == [.unknown, .unknown])
        _ = roster.record([observation(id, 2, reply, from: "192.0.2.1")])
        #expect(roster.states.map(\.health) == [.up, .unknown])
    }

    @Test mutating func `an outage before the name was resolved ends for each row`() {
        _ = roster.record([observation(id, 1, .reply(Reply(roundTrip: .milliseconds(1))))])
        _ = roster.record([observation(id, 2, .failure(Failure(.nameNotFound)))])
        _ = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(3))])
        #expect(roster.states.map(\.health) == [.down, .down])
        let replies = roster.states.map {
            observation($0.id, 4, .reply(Reply(roundTrip: .milliseconds(1))))
        }
        let runs = roster.record(replies).runs
        #expect(runs.map(\.target) == roster.states.map(\.id))
        #expect(runs.map(\.context.event) == [.up, .up])
        #expect(runs.compactMap(\.context.transition?.began) == [.seconds(4), .seconds(4)])
    }

    @Test mutating func `only the first row keeps an armed hook`() {
        _ = roster.arm([id], action: .command(.shell("true")), at: .zero)
        let found = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        #expect(found.events.isEmpty)
        #expect(roster.states.map(\.armed.count) == [1, 0])
    }

    @Test mutating func `changed addresses change rows, and the others keep their history`() {
        _ = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        let second = roster.states[1].id
        _ = roster.record([
            observation(id, 2, .reply(Reply(roundTrip: .milliseconds(1))), from: "192.0.2.1"),
            observation(second, 2, .reply(Reply(roundTrip: .milliseconds(1))), from: "192.0.2.2"),
        ])
        let change = roster.record([.addresses(id, ["192.0.2.2", "192.0.2.3"], at: .seconds(3))])
        #expect(labels == ["api 192.0.2.2", "api 192.0.2.3"])
        #expect(roster.states.map(\.id) == [second, id])
        #expect(change.removed.isEmpty)
        let assignment = ProbeRequest.Assignment(id: id, target: roster.states[1].target)
        #expect(change.requests == [.watch([assignment]), .now([id])])
        #expect(change.events.map(\.kind) == [.addressChanged(from: "192.0.2.1", to: "192.0.2.3")])
        #expect(change.runs.map(\.target) == [id])
        #expect(change.runs.map(\.context.address) == ["192.0.2.3"])
        // Several rows report the change, but it is one event.
        #expect(roster.record([.addresses(second, ["192.0.2.3", "192.0.2.2"], at: .seconds(4))]) == Consequences())
    }

    @Test mutating func `a row that was down recovers at its replacement address`() {
        let (down, reply) = (Outcome.failure(Failure(.refused)), Outcome.reply(Reply(roundTrip: .milliseconds(1))))
        _ = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        let ids = roster.states.map(\.id)
        _ = roster.record(ids.map { observation($0, 2, reply) } + ids.map { observation($0, 3, down) })
        let change = roster.record([.addresses(id, ["192.0.2.3"], at: .seconds(4))])
        #expect(change.removed == [ids[1]])
        #expect(change.requests.contains(.forget([ids[1]])))
        #expect(roster.states.map(\.health) == [.down])
        // A reply from the old address does not count for the new one.
        #expect(roster.record([observation(id, 5, reply, from: "192.0.2.1")]).runs.isEmpty)
        let runs = roster.record([observation(id, 6, reply, from: "192.0.2.3")]).runs
        #expect(runs.map(\.context.event) == [.up])
    }

    @Test mutating func `only the first probed row reports addresses`() {
        _ = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        let second = roster.states[1].id
        // Another event loop may have resolved other addresses.
        #expect(roster.record([.addresses(second, ["192.0.2.2", "192.0.2.9"], at: .seconds(2))]) == Consequences())
        _ = roster.pause([id], at: .seconds(3))
        _ = roster.record([.addresses(second, ["192.0.2.2", "192.0.2.9"], at: .seconds(4))])
        #expect(labels == ["api 192.0.2.2", "api 192.0.2.9"])
    }

    @Test mutating func `the same addresses in another order, or none, change nothing`() {
        _ = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        for addresses in [["192.0.2.2", "192.0.2.1"], []] {
            #expect(roster.record([.addresses(id, addresses, at: .seconds(2))]) == Consequences())
            // A reload rebuilds the rows.
            _ = roster.apply(Settings(targets: [target]), at: .seconds(3))
            #expect(labels == ["api 192.0.2.1", "api 192.0.2.2"])
        }
    }

    @Test mutating func `removing rows requests no probes`() {
        _ = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        let change = roster.record([.addresses(id, ["192.0.2.1"], at: .seconds(3))])
        #expect(change.removed.count == 1)
        #expect(!change.requests.contains { if case .now = $0 { true } else { false } })
    }

    @Test(arguments: [
        (["192.0.2.1"], "192.0.2.2", "192.0.2.1"), (["192.0.2.1", "192.0.2.2", "192.0.2.3"], "192.0.2.1", "192.0.2.3"),
    ])
    mutating func `an added or removed address is reported with one that stays`(now: [String], from: String, to: String)
    {
        _ = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        let change = roster.record([.addresses(id, now, at: .seconds(3))])
        let changes = change.events.compactMap { event -> [String]? in
            if case .addressChanged(let from, let to) = event.kind { [from, to] } else { nil }
        }
        #expect(changes == [[from, to]])
        #expect(change.runs.count == 1)
    }

    @Test mutating func `a reload keeps the rows, and a changed host starts again`() {
        _ = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        let ids = roster.states.map(\.id)
        var slower = target
        slower.interval = .seconds(9)
        _ = roster.apply(Settings(targets: [slower]), at: .seconds(2))
        #expect(roster.states.map(\.id) == ids)
        #expect(roster.states.allSatisfy { $0.target.interval == .seconds(9) })
        var other = target
        other.question = .tcp(host: "other.test", port: 443)
        let change = roster.apply(Settings(targets: [other]), at: .seconds(3))
        #expect(labels == ["api"])
        #expect(change.removed == ids)
    }

    @Test mutating func `dependents are blocked when all rows are down`() {
        let child = Target(name: "app", question: .icmp(host: "app.test"), dependsOn: [.target("api")])
        _ = roster.apply(Settings(targets: [target, child]), at: .zero)
        _ = roster.record([.addresses(id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        let down = Outcome.failure(Failure(.refused))
        _ = roster.record([observation(roster.states[0].id, 2, down)])
        #expect(!roster.states[2].isBlocked)
        _ = roster.record([observation(roster.states[1].id, 2, down)])
        #expect(roster.states[2].isBlocked)
    }

    @Test mutating func `a target without address rows ignores addresses`() {
        let plain = Target(name: "plain", question: .icmp(host: "plain.test"))
        _ = roster.apply(Settings(targets: [plain]), at: .zero)
        let change = roster.record([.addresses(roster.states[0].id, ["192.0.2.1", "192.0.2.2"], at: .seconds(1))])
        #expect(change == Consequences())
        #expect(labels == ["plain"])
    }
}
