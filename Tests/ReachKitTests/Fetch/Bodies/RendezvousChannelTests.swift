import Testing

@testable import ReachKit

/// Pieces from a sender to a receiver.
@Suite(.timeLimit(.minutes(1))) struct RendezvousChannelTests {
    private let channel = RendezvousChannel()

    private func receive() async -> String {
        switch await channel.receive() {
        case .piece(let piece): "\(piece)"
        case .end(let error): error.map { "\($0)" } ?? "end"
        }
    }

    @Test func `pieces come in order, and then the end, why only once`() async {
        let giving = Task { [channel] in
            for number: UInt8 in 1...3 { await channel.send([number]) }
            channel.finish(.emptyBody)
            channel.finish(nil)
        }
        var taken: [String] = []
        for _ in 0..<5 { taken.append(await receive()) }
        #expect(taken == ["[1]", "[2]", "[3]", "the answer has no body", "end"])
        await giving.value
    }

    @Test func `the end frees who gives, and drops what was not taken`() async {
        #expect(channel.offeredBytes == 0)
        let giving = Task { [channel] in await channel.send([1]) }
        while channel.offeredBytes == 0 { await Task.yield() }
        channel.finish(nil)
        await giving.value
        await channel.send([2])
        #expect(await receive() == "end")
    }

    @Test func `the end resumes the receiver`() async {
        let taking = Task { [self] in await receive() }
        channel.finish(.emptyBody)
        #expect(await taking.value == "the answer has no body")
    }

    @Test func `who is cancelled takes no more, and who gives is free`() async {
        let taking = Task { [self] in await receive() }
        taking.cancel()
        #expect(await taking.value == "cancelled")
        await channel.send([1])
    }
}
