import Foundation

/// A TCP client on loopback for raw HTTP: a test chooses which bytes it sends and when it reads.
final class RawHTTPClient: Sendable {
    private let descriptor: Int32

    /// Connects.
    ///
    /// - Parameter buffer: the size of the receive buffer, in bytes.
    init(_ port: UInt16, buffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var buffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            // The object has all its properties, so `deinit` closes the descriptor.
            throw TestFailure(description: "no connection to \(port): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends a text; false if the connection is closed.
    @discardableResult
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Closes the sending side of the connection.
    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Whether data or the end of the connection arrives within a time.
    func isReadable(within limit: Duration) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, Int32(limit / .milliseconds(1))) == 1
    }

    /// Reads until the connection ends.
    func rest() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    /// Requests a path and reads the response.
    static func get(_ path: String, at port: UInt16, accept: String? = nil) throws -> HTTPResponse {
        let client = try RawHTTPClient(port)
        let field = accept.map { "Accept: \($0)\r\n" } ?? ""
        client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(field)\r\n")
        return HTTPResponse(client.rest())
    }
}

/// A parsed HTTP response.
struct HTTPResponse {
    let status: Int?
    let head: String
    let body: String
    /// Whether the body is complete.
    let isComplete: Bool

    /// Parses a response, whose body may be chunked.
    init(_ text: String) {
        let parts = text.components(separatedBy: "\r\n\r\n")
        head = parts[0]
        status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        var rest = Array(text.utf8.dropFirst(head.utf8.count + 4))[...]
        guard head.contains("Transfer-Encoding: chunked") else {
            body = String(decoding: rest, as: UTF8.self)
            isComplete = true
            return
        }
        var bytes: [UInt8] = []
        var isEnded = false
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
            guard let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { break }
            isEnded = size == 0
            guard !isEnded, rest.count >= end - rest.startIndex + 4 + size else { break }
            bytes += rest[(end + 2)..<(end + 2 + size)]
            rest = rest[(end + 4 + size)...]
        }
        body = String(decoding: bytes, as: UTF8.self)
        isComplete = isEnded
    }

    /// The lines of the body.
    var lines: [String] { body.split(separator: "\n").map(String.init) }
}
