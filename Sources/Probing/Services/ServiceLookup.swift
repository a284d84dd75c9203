package import Monitoring
import NIOCore
import NIOPosix

/// A lookup of the SRV records of a name. Servers are asked one after the other, until one answers.
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
            let exchange = ServiceExchange(query, server, on: loop)
            cancelled.futureResult.assumeIsolated().whenComplete { _ in exchange.cancel() }
            let future = exchange.start(timeout: TimeAmount(time))
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
