import NIOCore
import NIOPosix
package import ReachMonitoring
import ReachSystem

/// A lookup of the SRV records of a name. Servers are queried in turn until one answers.
package struct ServiceLookup: Sendable {
    private let name: DNSName
    private let servers: [DNSServer]
    private let timeout: Duration

    /// Creates a lookup.
    ///
    /// - Parameters:
    ///   - servers: addresses, with a port or without; the system's resolvers if there are none.
    ///   - timeout: the time for all servers together.
    /// - Throws: The failure of an invalid name or server.
    package init(of name: String, at servers: [String], timeout: Duration) throws(Failure) {
        guard let name = DNSName(name) else { throw Failure(.nameNotFound, detail: "invalid name") }
        self.name = name
        var addresses: [DNSServer] = []
        for text in servers {
            guard let server = DNSServer(text) else { throw Failure(.resolverFailed, detail: "invalid server \(text)") }
            addresses.append(server)
        }
        self.servers = addresses.isEmpty ? SystemResolvers().servers(at: .zero) : addresses
        self.timeout = timeout
    }

    /// Sends the queries.
    ///
    /// - Throws: The failure of the last server.
    package func answer() async throws(Failure) -> ServiceAnswer {
        var failure = Failure(.resolverFailed, detail: "no server")
        for server in servers {
            do throws(Failure) {
                return try ServiceAnswer(try await answer(from: server, in: timeout / servers.count), to: name)
            } catch {
                failure = error
            }
            guard !Task.isCancelled else { break }
        }
        throw failure
    }

    private func answer(from server: DNSServer, in time: Duration) async throws(Failure) -> DNSAnswer {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let query = DNSQuery(id: .random(in: .min ... .max), name: name, type: .srv)
        let cancelled = loop.makePromise(of: Void.self)
        let future = loop.submit {
            let exchange = ServiceExchange(query, server, timeout: time, on: loop)
            cancelled.futureResult.assumeIsolated().whenComplete { _ in exchange.cancel() }
            let future = exchange.start()
            future.assumeIsolated().whenComplete { _ in exchange.close() }
            return future
        }.flatMap { $0 }
        let result: Result<DNSAnswer, Failure>
        do {
            result = try await withTaskCancellationHandler {
                try await future.get()
            } onCancel: {
                cancelled.succeed()
            }
        } catch {
            result = .failure(Failure(.resolverFailed, detail: "\(error)"))
        }
        // A promise must be fulfilled; the exchange is over.
        cancelled.succeed()
        return try result.get()
    }
}

extension DNSServer {
    /// Parses a numeric address, with a port or without: `192.0.2.53`, `[2001:db8::53]:5353`.
    fileprivate init?(_ text: String) {
        if let address = IPAddress(literal: text) {
            self.init(address: address)
            return
        }
        let colon = text.lastIndex(of: ":")
        let hasPort = colon.map { !text[$0...].contains("]") } ?? false
        let host = hasPort ? text[..<(colon ?? text.endIndex)] : text[...]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let port = hasPort ? colon.flatMap { UInt16(text[$0...].dropFirst()) } : 53
        guard let port, let address = IPAddress(literal: String(isBracketed ? host.dropFirst().dropLast() : host))
        else {
            return nil
        }
        self.init(address: address, port: port)
    }
}

/// The records of a service, and how long they are valid.
package struct ServiceAnswer: Sendable, Hashable {
    /// The records, in the order of their priorities and hosts; empty if the name has none, or does not exist.
    package let records: [ServiceRecord]
    /// The time until the first record expires; nil without records.
    package let lifetime: Duration?

    /// Reads an answer.
    ///
    /// - Throws: The failure of the server, or of an answer with too many records.
    init(_ answer: DNSAnswer, to name: DNSName) throws(Failure) {
        switch answer.responseCode {
        case .noerror, .nxdomain: break
        default: throw Failure(.resolverFailed, detail: answer.codeName)
        }
        guard answer.records.count < DNSAnswer.maxRecords else {
            throw Failure(.protocolError, detail: "\(DNSAnswer.maxRecords) records or more")
        }
        let found = answer.records(of: .srv, at: name)
        let hosts = found.compactMap { record -> (numbers: [UInt16], host: String)? in
            guard case .host(let numbers, let host) = record.value, numbers.count == 3 else { return nil }
            // The root as the host means that there is no such service.
            return host.labels.isEmpty || numbers[2] == 0 ? nil : (numbers, host.description)
        }
        records = hosts.sorted { ($0.numbers[0], $0.host, $0.numbers[2]) < ($1.numbers[0], $1.host, $1.numbers[2]) }
            .map { ServiceRecord(host: $0.host, port: $0.numbers[2]) }
        // Aliases on the way to the records expire too.
        lifetime = found.isEmpty ? nil : answer.records.map(\.timeToLive).min().map { .seconds(Int64($0)) }
    }
}

/// A host and port that provide a service (RFC 2782).
package struct ServiceRecord: Sendable, Hashable {
    /// The host, without a trailing dot.
    package let host: String
    package let port: UInt16
}

/// One query to one server: by UDP, and again by TCP if the answer does not fit. Confined to its event loop.
final class ServiceExchange {
    private var query: DNSQuery
    private let server: DNSServer
    private let loop: any EventLoop
    private let deadline: Duration
    private let environment: ProberEnvironment
    private let promise: EventLoopPromise<Result<DNSAnswer, Failure>>
    private var isOver = false
    private var exchange: DNSExchange?
    private var timer: Scheduled<Void>?

    init(_ query: DNSQuery, _ server: DNSServer, timeout: Duration, on loop: any EventLoop) {
        (self.query, self.server, self.loop) = (query, server, loop)
        let time = { Duration.nanoseconds(Int64(NIODeadline.now().uptimeNanoseconds)) }
        deadline = time() + timeout
        environment = ProberEnvironment(gate: LoopGate(loop), time: time, report: { _ in })
        promise = loop.makePromise()
    }

    /// Sends the query.
    func start() -> EventLoopFuture<Result<DNSAnswer, Failure>> {
        let pause = TimeAmount(deadline - environment.time())
        timer = loop.assumeIsolated().scheduleTask(in: pause) { [self] in
            end(.failure(Failure(.resolverFailed, detail: "timeout")))
        }
        send(by: .datagram)
        return promise.futureResult
    }

    /// Ends the query, if it has not ended.
    func cancel() {
        end(.failure(Failure(.resolverFailed, detail: "cancelled")))
    }

    /// Closes what is open.
    func close() {
        timer?.cancel()
        exchange?.close()
    }

    private func end(_ result: Result<DNSAnswer, Failure>) {
        guard !isOver else { return }
        isOver = true
        promise.succeed(result)
    }

    private func send(by transport: DNSConversation.Transport) {
        exchange?.close()
        let exchange = DNSExchange(
            in: environment,
            receive: { [weak self] in self?.receive($0, by: transport) },
            fail: { [weak self] in self?.fail($0) }
        )
        self.exchange = exchange
        exchange.send(query.message, to: server, by: transport, until: deadline)
    }

    private func receive(_ message: [UInt8], by transport: DNSConversation.Transport) {
        guard !isOver else { return }
        switch query.parse(message) {
        case .unrelated where transport == .datagram:
            break
        case .truncated where transport == .datagram:
            send(by: .stream)
        case .unrelated, .truncated, .malformed:
            end(.failure(Failure(.protocolError)))
        case .answer(let answer):
            guard answer.rejectsOptions, query.hasOptions else { return end(.success(answer)) }
            query.hasOptions = false
            send(by: transport)
        }
    }

    private func fail(_ outcome: Outcome) {
        switch outcome {
        case .failure(let failure): end(.failure(failure))
        case .fault(let fault): end(.failure(Failure(.resolverFailed, detail: fault.detail)))
        case .reply, .timeout: break
        }
    }
}
