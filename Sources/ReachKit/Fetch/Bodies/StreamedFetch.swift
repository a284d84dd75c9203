#if Fetch

import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One fetch whose response is received piece by piece: first its head, then its body. Its connection is closed with
/// the last reference.
final class StreamedFetch: Sendable {
    private let channel = RendezvousChannel()
    private let task: Task<Void, Never>

    /// Begins a fetch.
    ///
    /// - Parameter fetch: fetches into a sink.
    init(_ fetch: @escaping @Sendable (any BodySink) async throws(Fetch.Error) -> Void) {
        task = Task { [channel] in
            do throws(Fetch.Error) {
                try await fetch(Sink(channel: channel))
                channel.finish(nil)
            } catch {
                channel.finish(error)
            }
        }
    }

    deinit {
        channel.finish(nil)
        task.cancel()
    }

    /// Waits for the head of the response.
    func response() async throws(Fetch.Error) -> Fetch.Response {
        switch await channel.receive() {
        case .head(let response):
            return response
        case .end(let error):
            throw error ?? .cancelled
        case .piece, .occupied:
            preconditionFailure("a body has begun before its head")
        }
    }

    /// The next piece of the body; nil after the last one.
    func next() async throws(Fetch.Error) -> Data? {
        switch await channel.receive() {
        case .piece(let piece):
            return Data(piece)
        case .end(let error):
            task.cancel()
            if let error { throw error }
            return nil
        case .occupied:
            throw .invalid("another task reads the stream – read it in one task")
        case .head:
            preconditionFailure("a response has begun twice")
        }
    }

    private struct Sink: BodySink {
        let channel: RendezvousChannel

        var committedBytes: Int64 { channel.offeredBytes }
        /// A response whose head was passed on is not replaced by another one.
        var canRestart: Bool { !channel.hasBegun }

        func begin(with head: Fetch.Response?) async {
            if let head { await channel.send(head) }
        }
        func write(_ piece: [UInt8]) async { await channel.send(piece) }
        func finish() async {}
        func discard() {}
    }
}

/// A rendezvous channel for a response, with one receiver: a sender waits until its head or piece of the body is
/// received. Elements are received in the order in which they were sent.
final class RendezvousChannel: Sendable {
    private enum State: Sendable {
        case empty
        /// Elements and their senders wait for the receiver; there is at least one.
        case sending([(element: Element, sender: CheckedContinuation<Void, Never>)])
        /// The receiver waits for an element.
        case receiving(CheckedContinuation<Element, Never>)
        /// There are no more pieces. The receiver gets the error once.
        case finished(Fetch.Error?)
    }

    /// An element for the receiver.
    enum Element: Sendable {
        /// Status and header fields, before the first piece.
        case head(Fetch.Response)
        case piece([UInt8])
        case end(Fetch.Error?)
        /// Another task is waiting for the next element, and gets it.
        case occupied
    }

    private struct Storage {
        var state = State.empty
        var offered: Int64 = 0
        var hasBegun = false
    }

    private let storage = Mutex(Storage())

    /// The number of bytes that were sent, whether or not the receiver has them yet.
    var offeredBytes: Int64 { storage.withLock(\.offered) }

    /// Whether the head was sent, whether or not the receiver has it yet.
    var hasBegun: Bool { storage.withLock(\.hasBegun) }

    /// Sends the head. Returns when it is received, or the channel is finished.
    func send(_ head: Fetch.Response) async {
        storage.withLock { $0.hasBegun = true }
        await send(Element.head(head))
    }

    /// Sends a piece. Returns when it is received, or the channel is finished.
    func send(_ piece: [UInt8]) async {
        storage.withLock { $0.offered += Int64(piece.count) }
        await send(Element.piece(piece))
    }

    private func send(_ element: Element) async {
        await withCheckedContinuation { (sender: CheckedContinuation<Void, Never>) in
            let next = storage.withLock { storage -> (receiver: CheckedContinuation<Element, Never>?, isDone: Bool) in
                switch storage.state {
                case .empty:
                    storage.state = .sending([(element, sender)])
                    return (nil, false)
                case .sending(let waiting):
                    storage.state = .sending(waiting + [(element, sender)])
                    return (nil, false)
                case .receiving(let receiver):
                    storage.state = .empty
                    return (receiver, true)
                case .finished:
                    return (nil, true)
                }
            }
            next.receiver?.resume(returning: element)
            if next.isDone { sender.resume() }
        }
    }

    /// Receives the next piece, or the end. Cancelling the task finishes the channel.
    func receive() async -> Element {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (receiver: CheckedContinuation<Element, Never>) in
                let (element, sender) = storage.withLock { storage -> (Element?, CheckedContinuation<Void, Never>?) in
                    switch storage.state {
                    case .empty:
                        storage.state = .receiving(receiver)
                        return (nil, nil)
                    case .receiving:
                        return (.occupied, nil)
                    case .sending(let waiting):
                        storage.state = waiting.count == 1 ? .empty : .sending(Array(waiting.dropFirst()))
                        return (waiting[0].element, waiting[0].sender)
                    case .finished(let error):
                        storage.state = .finished(nil)
                        return (.end(error), nil)
                    }
                }
                sender?.resume()
                if let element { receiver.resume(returning: element) }
            }
        } onCancel: {
            finish(.cancelled)
        }
    }

    /// Finishes the channel for both sides. A piece that was not received is dropped. Only the first call counts.
    func finish(_ error: Fetch.Error?) {
        let before = storage.withLock { storage -> State in
            defer {
                switch storage.state {
                case .empty, .sending: storage.state = .finished(error)
                case .receiving: storage.state = .finished(nil)
                case .finished: break
                }
            }
            return storage.state
        }
        switch before {
        case .empty, .finished: break
        case .sending(let waiting): for (_, sender) in waiting { sender.resume() }
        case .receiving(let receiver): receiver.resume(returning: .end(error))
        }
    }
}

#endif
