import Foundation
import Synchronization

/// An HTTP server on loopback that records requests and answers with the given statuses in order, then repeats the
/// last.
final class RequestRecorder: Sendable {
    /// A received request.
    struct Request: Sendable {
        let line: String
        let fields: [String: String]
        let body: String
    }

    let port: UInt16
    private let descriptor: Int32
    private let received = Mutex<[Request]>([])

    init(answering statuses: Int...) throws {
        for port in (0..<50).map({ _ in UInt16.random(in: Listener.ports) }) {
            guard let descriptor = Listener.listen(on: port) else { continue }
            self.port = port
            self.descriptor = descriptor
            serve(statuses)
            return
        }
        throw TestFailure(description: "no free port")
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// The requests so far.
    var requests: [Request] { received.withLock(\.self) }

    private func serve(_ statuses: [Int]) {
        Thread.detachNewThread { [weak self, descriptor] in
            var statuses = statuses
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                if let request = Self.read(connection) {
                    self?.received.withLock { $0.append(request) }
                    let status = statuses.count > 1 ? statuses.removeFirst() : statuses[0]
                    let answer = Array("HTTP/1.1 \(status) As given\r\nContent-Length: 4\r\n\r\nsaid".utf8)
                    _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                }
                close(connection)
            }
            close(descriptor)
        }
    }

    /// Reads one request with its body; nil if the connection ends early.
    private static func read(_ connection: Int32) -> Request? {
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(connection, &bytes, bytes.count, 0)
            guard count > 0 else { return nil }
            text += String(decoding: bytes[..<count], as: UTF8.self)
            if let request = complete(text) { return request }
        }
    }

    /// Parses a request; nil while it is incomplete.
    private static func complete(_ text: String) -> Request? {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n").map(String.init)
        let fields = lines.dropFirst().compactMap { line in
            line.firstRange(of: ": ").map { (line[..<$0.lowerBound].lowercased(), String(line[$0.upperBound...])) }
        }
        let request = Request(
            line: lines.first ?? "",
            fields: Dictionary(fields) { first, _ in first },
            body: String(text[end.upperBound...])
        )
        return request.body.utf8.count >= request.fields["content-length"].flatMap { Int($0) } ?? 0 ? request : nil
    }
}

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
