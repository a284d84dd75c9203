import ReachMonitoring
import Testing

@testable import ReachProbing

struct DescriptorBudgetTests {
    private func ids(_ range: Range<Int>) -> [Target.ID] {
        range.map { Target.ID($0) }
    }

    /// A budget of ten probes, of which the last three got no descriptor at time zero.
    private func short() -> DescriptorBudget {
        var budget = DescriptorBudget()
        _ = budget.admitted(of: ids(0..<10))
        for _ in 0..<3 { budget.end(isShort: true, at: .zero) }
        return budget
    }

    @Test func `no target is queued while there are descriptors`() {
        var budget = DescriptorBudget()
        #expect(budget.admitted(of: ids(0..<10_000)).count == 10_000)
        #expect(budget.inFlight == 10_000)
        #expect(budget.next(at: .zero) == nil)
        let turn = budget.nextTargets(at: .seconds(5))
        #expect(turn.isEmpty)
    }

    @Test func `the limit is the number of probes with a descriptor, and others are queued once`() {
        var budget = short()
        #expect(budget.admitted(of: ids(10..<13) + ids(10..<13)).isEmpty)
        var turn = budget.nextTargets(at: .zero)
        #expect(turn.isEmpty)
        #expect(budget.next(at: .zero) == .seconds(1))
        budget.end(isShort: false, at: .milliseconds(10))
        budget.end(isShort: false, at: .milliseconds(10))
        #expect(budget.next(at: .milliseconds(10)) == .milliseconds(10))
        turn = budget.nextTargets(at: .milliseconds(10))
        #expect(turn == ids(10..<12))
        #expect(budget.admitted(of: turn) == turn)
        #expect(budget.admitted(of: ids(10..<11)).isEmpty)
    }

    @Test func `the limit doubles every second until the queue is empty`() {
        var budget = short()
        #expect(budget.admitted(of: ids(10..<40)).isEmpty)
        for (second, expected) in [(1, ids(10..<17)), (2, ids(17..<31)), (3, ids(31..<40)), (4, [])] {
            let turn = budget.nextTargets(at: .seconds(second))
            #expect(turn == expected)
            #expect(budget.admitted(of: turn) == turn)
        }
        #expect(budget.next(at: .seconds(4)) == nil)
    }

    @Test func `a forgotten target loses its place in the queue`() {
        var budget = short()
        #expect(budget.admitted(of: ids(10..<40)).isEmpty)
        for id in ids(10..<38) { budget.forget([id]) }
        #expect(budget.admitted(of: ids(12..<13)).isEmpty)
        for _ in 0..<3 { budget.end(isShort: false, at: .milliseconds(10)) }
        let turn = budget.nextTargets(at: .milliseconds(10))
        #expect(turn == ids(38..<40) + ids(12..<13))
        #expect(budget.admitted(of: turn) == turn)
        for _ in 0..<9 { budget.end(isShort: false, at: .milliseconds(20)) }
        #expect(budget.nextTargets(at: .milliseconds(20)).isEmpty)
        #expect(budget.nextTargets(at: .seconds(1)).isEmpty)
        #expect(budget.next(at: .seconds(1)) == nil, "the queue is empty, and the limit removed")
    }

    @Test func `a selected target that gets no descriptor keeps its place`() {
        var budget = short()
        #expect(budget.admitted(of: ids(10..<40)).isEmpty)
        for second in 1...3 {
            // Twice as many targets are selected as there are descriptors: the first one fails and ends the turn.
            let now = Duration.seconds(second)
            let turn = budget.nextTargets(at: now)
            #expect(turn == ids(9 + second..<16 + second))
            let again = budget.nextTargets(at: now)
            #expect(again.isEmpty, "selected twice")
            #expect(budget.admitted(of: Array(turn.prefix(1))).count == 1)
            budget.end(isShort: true, at: now)
            #expect(budget.admitted(of: Array(turn.dropFirst())).isEmpty)
        }
    }

    @Test func `queued targets go first`() {
        var budget = short()
        #expect(budget.admitted(of: ids(10..<13)).isEmpty)
        budget.end(isShort: false, at: .zero)
        #expect(budget.admitted(of: ids(13..<14)).isEmpty)
        let turn = budget.nextTargets(at: .zero)
        #expect(turn == ids(10..<11))
        #expect(budget.admitted(of: turn) == turn)
    }

    @Test func `without any descriptor, one probe a second is tried`() {
        var budget = DescriptorBudget()
        #expect(budget.admitted(of: ids(0..<1)) == ids(0..<1))
        budget.end(isShort: true, at: .zero)
        #expect(budget.admitted(of: ids(0..<5)).isEmpty)
        for second in 1...3 {
            let now = Duration.seconds(second)
            let early = budget.nextTargets(at: now - .milliseconds(1))
            #expect(early.isEmpty)
            let turn = budget.nextTargets(at: now)
            #expect(turn == [Target.ID(second - 1)])
            #expect(budget.admitted(of: turn) == turn)
            budget.end(isShort: true, at: now)
        }
    }

    @Test func `a forgotten target is not queued, and a stall frees all descriptors`() {
        var budget = short()
        #expect(budget.admitted(of: ids(10..<13)).isEmpty)
        budget.forget(ids(10..<12))
        budget.discardInFlight()
        #expect(budget.inFlight == 0)
        let turn = budget.nextTargets(at: .zero)
        #expect(turn == [Target.ID(12)])
    }
}

extension DescriptorBudget {
    /// The targets that are admitted.
    fileprivate mutating func admitted(of ids: [Target.ID]) -> [Target.ID] {
        ids.filter { admit($0) }
    }
}
