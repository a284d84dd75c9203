import Foundation
import Synchronization

/// An HTTP server on loopback that counts the bytes of each request, discards them, and answers 200.
final class UploadSink: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let received = Mutex<Int>(0)

    init() throws {
        (port, descriptor) = try Listener.open()
        serve()
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// The received bytes of bodies.
    var count: Int { received.withLock(\.self) }

    private func serve() {
        Thread.detachNewThread { [weak self, descriptor] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                let count = Self.receive(connection)
                self?.received.withLock { $0 += count }
                close(connection)
            }
            close(descriptor)
        }
    }

    /// Reads a request, answers it, and returns the size of its body.
    private static func receive(_ connection: Int32) -> Int {
        var (head, body, length) = ("", 0, Int?.none)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while body < length ?? 1 {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return body }
            guard length == nil else {
                body += count
                continue
            }
            head += String(decoding: buffer[..<count], as: UTF8.self)
            guard let end = head.firstRange(of: "\r\n\r\n") else { continue }
            length = head.lowercased().firstMatch(of: /content-length: *(\d+)/).flatMap { Int($0.1) }
            body = head[end.upperBound...].utf8.count
        }
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        return body
    }
}
