import LibC
import Monitoring
import NIOCore

/// One query to one server: by UDP, and again by TCP if the answer does not fit. Confined to its event loop.
final class ServiceExchange {
    private var query: DNSQuery
    private let server: DNSServer
    private let loop: any EventLoop
    private let promise: EventLoopPromise<Result<DNSAnswer, Failure>>
    private var isOver = false
    /// Closes the socket or connection.
    private var closeSocket: () -> Void = {}
    private var timer: Scheduled<Void>?

    init(_ query: DNSQuery, _ server: DNSServer, on loop: any EventLoop) {
        (self.query, self.server, self.loop) = (query, server, loop)
        promise = loop.makePromise()
    }

    /// Sends the query.
    func start(timeout: TimeAmount) -> EventLoopFuture<Result<DNSAnswer, Failure>> {
        timer = loop.assumeIsolated().scheduleTask(in: timeout) { [self] in
            end(.failure(Failure(.resolverFailed, detail: "timeout")))
        }
        sendDatagram()
        return promise.futureResult
    }

    /// Ends the query, if it has not ended.
    func cancel() {
        end(.failure(Failure(.resolverFailed, detail: "cancelled")))
    }

    /// Closes what is open.
    func close() {
        timer?.cancel()
        closeSocket()
        closeSocket = {}
    }

    private func end(_ result: Result<DNSAnswer, Failure>) {
        guard !isOver else { return }
        isOver = true
        promise.succeed(result)
    }

    private func sendDatagram() {
        do {
            let socket = try DatagramSocket.open(
                to: server.address,
                port: server.port,
                leaving: nil,
                on: loop,
                receive: { [weak self] in self?.receive(Array($0.readableBytesView), isStream: false) },
                fail: { [weak self] in self?.fail($0) }
            )
            closeSocket = socket.close
            try socket.send(query.message)
        } catch {
            fail(error)
        }
    }

    private func sendByStream() {
        closeSocket()
        closeSocket = {}
        let handler = DNSStreamHandler(
            query: query.message,
            receive: { [weak self] in self?.receive($0, isStream: true) },
            fail: { [weak self] in self?.fail($0) }
        )
        handler.connect(to: server, on: loop) { [weak self] channel in
            guard let self, !isOver else { return channel.close(promise: nil) }
            closeSocket = { channel.close(promise: nil) }
        }
    }

    private func receive(_ message: [UInt8], isStream: Bool) {
        guard !isOver else { return }
        switch query.parse(message) {
        case .unrelated where !isStream:
            break
        case .truncated where !isStream:
            sendByStream()
        case .unrelated, .truncated, .malformed:
            end(.failure(Failure(.protocolError)))
        case .answer(let answer):
            guard answer.rejectsOptions, query.hasOptions else { return end(.success(answer)) }
            query.hasOptions = false
            closeSocket()
            isStream ? sendByStream() : sendDatagram()
        }
    }

    private func fail(_ error: any Error) {
        guard case .failure(let failure) = Outcome(error, to: server.address) else {
            return end(.failure(Failure(.resolverFailed, detail: "\(error)")))
        }
        end(.failure(failure))
    }
}
