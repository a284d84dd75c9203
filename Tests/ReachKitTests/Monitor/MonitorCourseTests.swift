import Monitoring
import TestSupport
import Testing

@testable import ReachKit

/// What a monitor makes of what happens, and of the time in which nobody listens.
struct MonitorCourseTests {
    private func course(_ targets: [Target]) -> MonitorCourse {
        MonitorCourse(targets, firstID: 7, firstProbes: .staggered, history: .zero, at: .zero)
    }

    private func ended(_ id: Target.ID, _ outcome: Outcome, at seconds: Int) -> Finding {
        .observation(Observation(target: id, sequence: 1, time: .seconds(seconds), outcome: outcome))
    }

    @Test func `the time in which nobody listened is not judged`() throws {
        var course = course([.make("NAS", fall: 1)])
        let id = Target.ID(7)
        _ = course.begin(link: nil, at: .seconds(10))
        _ = course.record([ended(id, .reply(roundTrip: .zero), at: 10)])
        _ = course.record([ended(id, .timeout, at: 20)])
        course.rest(at: .seconds(30))
        _ = course.begin(link: nil, at: .seconds(1_000))
        // Up for ten seconds, down for ten before the rest and for ten after it.
        #expect(try #require(course.roster[id]?.availability(at: .seconds(1_010))) == 1 / 3)
    }

    @Test func `a streak does not go on over the time in which nobody listened`() {
        var course = course([.make("NAS", fall: 2)])
        let id = Target.ID(7)
        _ = course.begin(link: nil, at: .zero)
        _ = course.record([ended(id, .timeout, at: 1)])
        course.rest(at: .seconds(2))
        _ = course.begin(link: nil, at: .seconds(100))
        _ = course.record([ended(id, .timeout, at: 101)])
        #expect(course.roster[id]?.health == .unknown)
        _ = course.record([ended(id, .timeout, at: 102)])
        #expect(course.roster[id]?.health == .down)
    }

    @Test func `nothing is asked for while nobody listens, and all of it when somebody does`() {
        var course = course([.make("NAS")])
        #expect(course.update([.make("NAS"), .make("Door")], at: .zero).requests.isEmpty)
        #expect(course.pause([Target.ID(7)], at: .zero).requests.isEmpty)
        let requests = course.begin(link: nil, at: .seconds(1)).requests
        #expect(requests == [.watch([ProbeRequest.Assignment(id: Target.ID(8), target: .make("Door"))])])
        #expect(course.begin(link: nil, at: .seconds(1)).requests.isEmpty)
    }

    @Test func `who depends on the way out is not asked when there is none`() {
        var course = course([.make("NAS", dependsOn: [.link])])
        let step = course.begin(link: .link(isUp: false, at: .seconds(1)), at: .seconds(1))
        #expect(step.events == [.blocked([Target.ID(7)], by: .link, at: .seconds(1))])
        #expect(step.requests.isEmpty)
    }

    @Test func `hooks of targets do not run`() {
        var course = course([.make("NAS", hooks: [.make(on: [.up], "true")])])
        _ = course.begin(link: nil, at: .zero)
        #expect(course.roster.standings[0].target.hooks.isEmpty)
    }
}
