import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ReachKit

/// Bodies that are read piece by piece.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct FetchStreamTests {
    private let fetch = Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, environment: [:])
    private static let endless = ScriptedServer.Action.endless(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "4\r\nabcd\r\n"
    )

    @Test func `all pieces arrive after failures before the response`() async throws {
        let long = String(repeating: "0123456789", count: 100_000)
        let server = try await ScriptedServer.on(
            .say(.answer("503 Busy")),
            .breakOff(after: ""),
            .say(.answer("200 OK", body: long))
        )
        var body = Data()
        for try await piece in try await fetch.stream(from: Fetch.Request(server.url)) {
            #expect(!piece.isEmpty)
            body += piece
        }
        #expect(body == Data(long.utf8))
        #expect(server.requests.count == 3)
        try await server.stop()
    }

    @Test func `status and fields are there before the body`() async throws {
        let server = try await ScriptedServer.on(.hold("HTTP/1.1 203 Copy\r\nContent-Length: 9\r\nX-Test: 1\r\n\r\n"))
        let stream = try await fetch.stream(from: server.url)
        #expect(stream.response.status == 203)
        #expect(stream.response.headers["X-Test"] == "1")
        #expect(stream.response.body.isEmpty)
        try await server.stop()
    }

    @Test func `a body that is lost before its first piece is not restarted`() async throws {
        let server = try await ScriptedServer.on(
            .breakOff(after: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"),
            .say(.answer("200 OK", body: "fine"))
        )
        let stream = try await fetch.stream(from: server.url)
        let error = await #expect(throws: Fetch.Error.self) { for try await _ in stream {} }
        guard case .incomplete = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `an empty body is a stream without pieces`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("204 No Content")))
        for try await piece in try await fetch.stream(from: Fetch.Request(server.url)) { Issue.record("\(piece)") }
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `an error after the first piece is thrown once, without a retry`() async throws {
        let (receipts, receipt) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"))
        let request = Fetch.Request(server.url, timeout: .milliseconds(300))
        var pieces = try await fetch.stream(from: request) { if case .received = $0 { receipt.yield() } }
            .makeAsyncIterator()
        #expect(try await pieces.next() == Data("half".utf8))
        for await _ in receipts { break }
        do {
            _ = try await pieces.next()
            Issue.record("the body has ended")
        } catch {
            #expect(error.description == "HTTP 200, but then: timeout")
        }
        #expect(try await pieces.next() == nil)
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `a bad response is thrown with its body`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("404 Not Found", body: "nothing here")))
        let error = await #expect(throws: Fetch.Error.self) {
            for try await _ in try await fetch.stream(from: Fetch.Request(server.url)) {}
        }
        guard case .status(let response) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(response.body == Data("nothing here".utf8))
        try await server.stop()
    }

    @Test func `the end of the iteration closes the connection`() async throws {
        let (closed, close) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(Self.endless, onClose: { close.yield() })
        for try await _ in try await fetch.stream(from: Fetch.Request(server.url)) { break }
        for await _ in closed { break }
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `cancelling the task closes the connection`() async throws {
        let (closed, close) = AsyncStream<Void>.makeStream()
        let (receipts, receipt) = AsyncStream<Void>.makeStream()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"
        let server = try await ScriptedServer.on(.hold(head), onClose: { close.yield() })
        let reading = Task { [fetch] in
            for try await _ in try await fetch.stream(from: Fetch.Request(server.url)) { receipt.yield() }
        }
        for await _ in receipts { break }
        reading.cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await reading.value }
        for await _ in closed { break }
        try await server.stop()
    }

    @Test func `pieces are not received before they are read`() async throws {
        let server = try await ScriptedServer.on(Self.endless)
        let received = Counter()
        var pieces = try await fetch.stream(from: Fetch.Request(server.url)) { event in
            if case .received = event { received.increment() }
        }.makeAsyncIterator()
        for read in 1...100 {
            #expect(try await pieces.next()?.isEmpty == false)
            // Time for the connection to receive more pieces, which it must not.
            for _ in 0..<100 { await Task.yield() }
            #expect(received.count <= read)
        }
        try await server.stop()
    }

    private final class Counter: Sendable {
        private let state = Mutex(0)
        var count: Int { state.withLock { $0 } }
        func increment() { state.withLock { $0 += 1 } }
    }
}

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

    @Test func `senders that wait together are resumed in order`() async {
        var senders: [Task<Void, Never>] = []
        for number: UInt8 in 1...3 {
            senders.append(Task { [channel] in await channel.send([number]) })
            while channel.offeredBytes < number { await Task.yield() }
        }
        #expect(await [receive(), receive()] == ["[1]", "[2]"])
        channel.finish(nil)
        for sender in senders { await sender.value }
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
