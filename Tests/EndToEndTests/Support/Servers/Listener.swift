import Foundation
import Synchronization

/// A TCP listener on loopback that counts its connections. It can stop, and start again on the same port.
final class Listener: Sendable {
    /// Below the ephemeral ports: from one of those, a connection to the stopped listener could connect to itself.
    static let ports: ClosedRange<UInt16> = 20_000...31_999

    let port: UInt16
    private let address: UInt32
    private let greeting: [UInt8]
    private let waitsForRequest: Bool
    private let socket = Mutex<Int32>(-1)
    private let accepted = Mutex<[Double]>([])

    /// Listens on a free port.
    ///
    /// - Parameters:
    ///   - greeting: the text that each connection receives.
    ///   - waitsForRequest: whether the greeting is sent only after the client has sent data.
    ///   - address: the address to listen on; zero is every address of the machine.
    init(greeting: String = "", waitsForRequest: Bool = false, address: UInt32 = 0x7F00_0001) throws {
        self.address = address
        self.greeting = Array(greeting.utf8)
        self.waitsForRequest = waitsForRequest
        let descriptor: Int32
        (port, descriptor) = try Self.open(address: address)
        serve(descriptor)
    }

    /// Returns a port that is free now, for another program.
    static func freePort() throws -> UInt16 {
        try (0..<50).lazy.map { _ in UInt16.random(in: ports) }.first { port in
            guard let descriptor = listen(on: port) else { return false }
            close(descriptor)
            return true
        } ?? { throw TestFailure(description: "no port") }()
    }

    deinit {
        stop()
    }

    /// The times of accepted connections, in seconds since 1970.
    var times: [Double] { accepted.withLock(\.self) }
    /// The number of accepted connections.
    var count: Int { times.count }

    /// Refuses connections from now on.
    func stop() {
        socket.withLock { descriptor in
            guard descriptor >= 0 else { return }
            // Ends accept(2); the accepting thread then closes the descriptor.
            shutdown(descriptor, Int32(SHUT_RDWR))
            descriptor = -1
        }
    }

    /// Accepts connections on the same port again.
    func start() async throws {
        serve(try await eventually("port \(port)") { Self.listen(on: port, address: address) })
    }

    private func serve(_ descriptor: Int32) {
        socket.withLock { $0 = descriptor }
        Thread.detachNewThread { [weak self, greeting, waitsForRequest] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                let time = wallTime()
                self?.accepted.withLock { $0.append(time) }
                if waitsForRequest {
                    var limit = timeval(tv_sec: 1, tv_usec: 0)
                    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
                    var request = [UInt8](repeating: 0, count: 4_096)
                    _ = recv(connection, &request, request.count, 0)
                }
                _ = send(connection, greeting, greeting.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
            close(descriptor)
        }
    }

    /// Opens a listening socket on a free port.
    static func open(
        address: UInt32 = 0x7F00_0001,
        backlog: Int32 = 128
    ) throws -> (port: UInt16, descriptor: Int32) {
        for _ in 0..<50 {
            let port = UInt16.random(in: ports)
            if let descriptor = listen(on: port, address: address, backlog: backlog) { return (port, descriptor) }
        }
        throw TestFailure(description: "no free port")
    }

    /// Opens a listening socket on loopback or another address; nil if the port is in use.
    static func listen(on port: UInt16, address host: UInt32 = 0x7F00_0001, backlog: Int32 = 128) -> Int32? {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(AF_INET, type, 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, Glibc.listen(descriptor, backlog) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}

/// The time since 1970, in seconds.
func wallTime() -> Double {
    Date().timeIntervalSince1970
}

/// nginx on every address of a namespace, which answers 200 and logs the time and address of each request. Releasing
/// the last reference kills it.
final class LoggingWebServer: Sendable {
    static let port = 8_080

    private let scratch: Scratch
    private let nginx: Child

    init(in network: Namespace, scratch: Scratch) async throws {
        self.scratch = scratch
        let settings = """
            daemon off; worker_processes 1; pid \(scratch.file("nginx.pid")); error_log \(scratch.file("nginx.log"));
            events { worker_connections 1024; }
            http {
              log_format times '$msec $server_addr';
              access_log \(scratch.file("times")) times;
              client_body_temp_path \(scratch.file("body"));
              server { listen \(Self.port); return 200 "ok"; }
            }
            """
        try scratch.write(settings, to: "nginx.conf")
        nginx = try Child(
            network.words("nginx", "-c", scratch.file("nginx.conf")),
            in: scratch.path,
            streams: .files(output: scratch.file("nginx.out"), errors: scratch.file("nginx.err"))
        )
        // nginx writes this file when it listens.
        _ = try await scratch.number(in: "nginx.pid")
    }

    /// The times of the requests to each address, in seconds since 1970.
    var times: [String: [Double]] {
        let entries = scratch.lines(of: "times").compactMap { line -> (String, Double)? in
            let words = line.split(separator: " ")
            guard words.count == 2, let time = Double(words[0]) else { return nil }
            return (String(words[1]), time)
        }
        return Dictionary(grouping: entries) { $0.0 }.mapValues { $0.map(\.1).sorted() }
    }
}
