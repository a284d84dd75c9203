import ReachMonitoring
import TestSupport
import Testing

struct TargetMapTests {
    /// Ascending identities, some with gaps between them, and some of other rosters.
    private func id(using generator: inout SplitMix) -> Target.ID {
        let number = Int.random(in: 0..<60, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return Target.ID(number << 32)
        case 1: return Target.ID(number * 1_000)
        case 2: return Target.ID(.max - number)
        case 3: return Target.ID(-number)
        default: return Target.ID(number)
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `the table equals a dictionary`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var table = TargetMap<Int>()
        var dictionary: [Target.ID: Int] = [:]
        for step in 0..<3_000 {
            let id = id(using: &generator)
            // The table grows and shrinks in turns.
            if Int.random(in: 0..<10, using: &generator) < (step / 500 % 2 == 0 ? 7 : 2) {
                table[id] = step
                dictionary[id] = step
            } else {
                #expect(table.remove(id) == dictionary.removeValue(forKey: id))
            }
            #expect(table[id] == dictionary[id])
            #expect(table.count == dictionary.count)
        }
        for id in dictionary.keys { #expect(table[id] == dictionary[id]) }
        #expect(table.ids == dictionary.keys.sorted())
        #expect(table.values.sorted() == dictionary.values.sorted())
    }

    @Test func `removed targets do not grow the table`() {
        var table = TargetMap<Int>()
        table[Target.ID(0)] = 0
        for number in 1...100_000 {
            table[Target.ID(number)] = number
            #expect(table.remove(Target.ID(number)) == number)
        }
        #expect(table.ids == [Target.ID(0)])
        #expect(table.capacity < 100)
        table[Target.ID(0)] = nil
        #expect(table.isEmpty)
        #expect(table.capacity == 0)
    }
}

/// Times that no target can have.
struct TargetLimitTests {
    private static let times: [Duration] = [
        .zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1), .seconds(Int64.max),
    ]

    @Test(arguments: times) func `the times of a target are limited`(_ time: Duration) {
        var target = Target.make("NAS")
        (target.interval, target.timeout, target.retryInterval, target.downInterval) = (time, time, time, time)
        var roster = Roster()
        let requests = roster.apply(Settings(targets: [target], history: .seconds(60)), at: .zero).requests
        guard case .watch(let assignments)? = requests.first, let probed = assignments.first?.target else {
            return #expect(Bool(false), "\(requests)")
        }
        let limited: Duration = time > .seconds(1) ? .seconds(365 * 86_400) : .milliseconds(1)
        for time in [probed.interval, probed.timeout, probed.retryInterval, probed.downInterval] {
            #expect(time == limited)
        }
        #expect(ProbeRequest.Assignment(id: Target.ID(0), target: target).target == probed)
    }

    @Test(arguments: times) func `any span of a history is limited`(_ span: Duration) {
        var roster = Roster()
        _ = roster.apply(Settings(targets: [.make("NAS")], history: span), at: .zero)
        #expect((1...100_000).contains(roster.states[0].history.capacity))
    }
}
