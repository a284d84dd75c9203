import ReachMonitoring
import TestSupport
import Testing

@testable import ReachKit

/// Events and requests of a monitor for findings, and the time without a subscriber.
struct MonitorModelTests {
    private func model(_ targets: [Target]) -> MonitorModel {
        MonitorModel(targets, firstID: 7, firstProbes: .staggered, history: .zero, at: .zero)
    }

    private func ended(_ id: Target.ID, _ outcome: Outcome, at seconds: Int) -> Finding {
        .observation(Observation(target: id, sequence: 1, time: .seconds(seconds), outcome: outcome))
    }

    @Test func `the time without subscribers is not judged`() throws {
        var model = model([.make("NAS", fall: 1)])
        let id = Target.ID(7)
        _ = model.start(link: nil, at: .seconds(10))
        _ = model.record([ended(id, .reply(roundTrip: .zero), at: 10)])
        _ = model.record([ended(id, .timeout, at: 20)])
        _ = model.stop(at: .seconds(30))
        _ = model.start(link: nil, at: .seconds(1_000))
        // Up for ten seconds, then down for ten before the stop and for ten after it.
        #expect(try #require(model.roster[id]?.availability(at: .seconds(1_010))) == 1 / 3)
    }

    @Test func `a streak does not continue across the time without subscribers`() {
        var model = model([.make("NAS", fall: 2)])
        let id = Target.ID(7)
        _ = model.start(link: nil, at: .zero)
        _ = model.record([ended(id, .timeout, at: 1)])
        _ = model.stop(at: .seconds(2))
        _ = model.start(link: nil, at: .seconds(100))
        _ = model.record([ended(id, .timeout, at: 101)])
        #expect(model.roster[id]?.health == .unknown)
        _ = model.record([ended(id, .timeout, at: 102)])
        #expect(model.roster[id]?.health == .down)
    }

    @Test func `nothing is probed without subscribers, and everything with the first one`() {
        var model = model([.make("NAS")])
        #expect(model.update([.make("NAS"), .make("Door")], at: .zero).requests.isEmpty)
        #expect(model.pause([Target.ID(7)], at: .zero).requests.isEmpty)
        let requests = model.start(link: nil, at: .seconds(1)).requests
        #expect(requests == [.watch([ProbeRequest.Assignment(id: Target.ID(8), target: .make("Door"))])])
        #expect(model.start(link: nil, at: .seconds(1)).requests.isEmpty)
    }

    @Test func `a target that depends on the link is not probed without an uplink`() {
        var model = model([.make("NAS", dependsOn: [.link])])
        let step = model.start(link: .link(isUp: false, at: .seconds(1)), at: .seconds(1))
        #expect(step.events == [.blocked([Target.ID(7)], by: .link, at: .seconds(1))])
        #expect(step.requests.isEmpty)
    }

    @Test func `hooks of targets do not run`() {
        var model = model([.make("NAS", hooks: [.make(on: [.up], "true")])])
        _ = model.start(link: nil, at: .zero)
        #expect(model.roster.states[0].target.hooks.isEmpty)
    }
}
