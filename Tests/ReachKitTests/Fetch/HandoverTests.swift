import Testing

@testable import ReachKit

/// Pieces that go from one hand into the other.
@Suite(.timeLimit(.minutes(1))) struct HandoverTests {
    private let handover = Handover()

    private func take() async -> String {
        switch await handover.take() {
        case .piece(let piece): "\(piece)"
        case .end(let error): error.map { "\($0)" } ?? "end"
        }
    }

    @Test func `pieces come in order, and then the end, why only once`() async {
        let giving = Task { [handover] in
            for number: UInt8 in 1...3 { await handover.give([number]) }
            handover.end(.emptyBody)
            handover.end(nil)
        }
        var taken: [String] = []
        for _ in 0..<5 { taken.append(await take()) }
        #expect(taken == ["[1]", "[2]", "[3]", "the answer has no body", "end"])
        await giving.value
    }

    @Test func `the end frees who gives, and drops what was not taken`() async {
        #expect(!handover.isTouched)
        let giving = Task { [handover] in await handover.give([1]) }
        while !handover.isTouched { await Task.yield() }
        handover.end(nil)
        await giving.value
        await handover.give([2])
        #expect(await take() == "end")
    }

    @Test func `the end frees who takes`() async {
        let taking = Task { [self] in await take() }
        handover.end(.emptyBody)
        #expect(await taking.value == "the answer has no body")
    }

    @Test func `who is cancelled takes no more, and who gives is free`() async {
        let taking = Task { [self] in await take() }
        taking.cancel()
        #expect(await taking.value == "cancelled")
        await handover.give([1])
    }
}
