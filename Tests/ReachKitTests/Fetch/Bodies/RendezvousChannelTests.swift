import TestSupport
import Testing

@testable import ReachKit

/// Pieces from a sender to a receiver.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct RendezvousChannelTests {
    private let channel = RendezvousChannel()

    private func receive() async -> String {
        switch await channel.receive() {
        case .head(let response): "head \(response.status)"
        case .piece(let piece): "\(piece)"
        case .end(let error): error.map { "\($0)" } ?? "end"
        case .occupied: "occupied"
        }
    }

    @Test func `the head and the pieces arrive in order, then the end, with the error only once`() async {
        #expect(!channel.hasBegun)
        let sending = Task { [channel] in
            await channel.send(Fetch.Response(status: 200))
            for number: UInt8 in 1...3 { await channel.send([number]) }
            channel.finish(.timeout)
            channel.finish(nil)
        }
        var received: [String] = []
        for _ in 0..<6 { received.append(await receive()) }
        #expect(received == ["head 200", "[1]", "[2]", "[3]", "timeout", "end"])
        await sending.value
    }

    @Test func `the end resumes the sender, and drops its piece`() async {
        #expect(channel.offeredBytes == 0)
        let sending = Task { [channel] in await channel.send([1]) }
        while channel.offeredBytes == 0 { await Task.yield() }
        channel.finish(nil)
        await sending.value
        await channel.send([2])
        #expect(await receive() == "end")
    }

    @Test func `the end resumes the receiver`() async {
        let receiving = Task { [self] in await receive() }
        channel.finish(.timeout)
        #expect(await receiving.value == "timeout")
    }

    @Test func `of two receivers at a time, one gets the piece`() async {
        let receiving = [Task { [self] in await receive() }, Task { [self] in await receive() }]
        let (first, other) = await withTaskGroup(of: String.self) { group in
            for task in receiving { group.addTask { await task.value } }
            let first = await group.next()
            await channel.send([1])
            return (first, await group.next())
        }
        #expect(first == "occupied")
        #expect(other == "[1]")
    }

    @Test func `cancelling the receiver resumes the sender`() async {
        let receiving = Task { [self] in await receive() }
        receiving.cancel()
        #expect(await receiving.value == "cancelled")
        await channel.send([1])
    }
}
