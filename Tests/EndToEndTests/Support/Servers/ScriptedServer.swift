import Foundation
import Synchronization

/// An HTTP server on loopback that gives scripted responses in order, repeats the last, and records the requests. A
/// connection without a request consumes no response.
final class ScriptedServer: Sendable {
    /// A response to a request.
    enum Response: Sendable {
        /// Sends the text and closes.
        case text(String)
        /// Sends the text and resets the connection.
        case reset(after: String)
        /// Sends nothing and holds the connection.
        case hang
        /// Answers 200 with mebibytes of zeros, with a `Content-Length` or in chunks.
        case zeros(mebibytes: Int, isChunked: Bool = false)
        /// Answers 200 with pieces of 100,000 bytes and a pause in seconds before each. The `Content-Length` is ten
        /// million.
        case slow(pieces: Int, pause: Double)
        /// Sends texts with a pause in seconds between them, and closes.
        case paced([String], pause: Double)
    }

    let port: UInt16
    private let script: Mutex<[Response]>
    private let received = Mutex<[String]>([])
    private let descriptor = Mutex<Int32>(-1)
    private let isClosing = Atomic(false)

    /// - Parameter isListening: whether it listens at once; until then, connections are refused.
    init(_ script: Response..., isListening: Bool = true) throws {
        self.script = Mutex(script)
        let descriptor: Int32
        (port, descriptor) = try Listener.open()
        if isListening { serve(descriptor) } else { close(descriptor) }
    }

    deinit {
        isClosing.store(true, ordering: .relaxed)
        descriptor.withLock { _ = shutdown($0, Int32(SHUT_RDWR)) }
    }

    /// The server's URL: `http://127.0.0.1:23456`.
    var url: String { "http://127.0.0.1:\(port)" }

    /// The requests so far, each with its body.
    var requests: [String] { received.withLock(\.self) }

    /// Accepts connections from now on.
    func start() async throws {
        serve(try await eventually("port \(port)") { Listener.listen(on: port) })
    }

    private func serve(_ listening: Int32) {
        descriptor.withLock { $0 = listening }
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(listening, nil, nil)
                guard connection >= 0 else { break }
                Thread.detachNewThread { [weak self] in
                    if let request = Self.read(connection), let response = self?.nextResponse(to: request) {
                        Self.send(response, on: connection) { self?.isClosing.load(ordering: .relaxed) ?? true }
                    }
                    close(connection)
                }
            }
            close(listening)
        }
    }

    private func nextResponse(to request: String) -> Response {
        received.withLock { $0.append(request) }
        return script.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }

    private static func read(_ connection: Int32) -> String? {
        var (text, buffer) = ("", [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            guard let end = text.firstRange(of: "\r\n\r\n") else { continue }
            let length = text[..<end.lowerBound].lowercased().firstMatch(of: /content-length: *(\d+)/)
            if text[end.upperBound...].utf8.count >= length.flatMap({ Int($0.1) }) ?? 0 { return text }
        }
    }

    private static func send(_ response: Response, on connection: Int32, until isOver: () -> Bool) {
        func write(_ bytes: some Collection<UInt8>) -> Bool {
            var rest = Array(bytes)[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes {
                    Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard sent > 0 else { return false }
                rest = rest.dropFirst(sent)
            }
            return true
        }
        let head = "HTTP/1.1 200 OK\r\n"
        switch response {
        case .text(let text):
            _ = write(text.utf8)
        case .reset(let text):
            _ = write(text.utf8)
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        case .hang:
            while !isOver() { usleep(20_000) }
        case .zeros(let count, let isChunked):
            let zeros = [UInt8](repeating: 0, count: 1_048_576)
            let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(count * zeros.count)"
            var isOpen = write("\(head)\(framing)\r\n\r\n".utf8)
            let piece = isChunked ? Array("100000\r\n".utf8) + zeros + Array("\r\n".utf8) : zeros
            for _ in 0..<count where isOpen { isOpen = write(piece) }
            if isChunked { _ = write("0\r\n\r\n".utf8) }
        case .paced(let texts, let pause):
            for (index, text) in texts.enumerated() where !isOver() {
                if index > 0 { usleep(UInt32(pause * 1_000_000)) }
                guard write(text.utf8) else { break }
            }
        case .slow(let count, let pause):
            var isOpen = write("\(head)Content-Length: 10000000\r\n\r\n".utf8)
            for _ in 0..<count where isOpen && !isOver() {
                usleep(UInt32(pause * 1_000_000))
                isOpen = write([UInt8](repeating: 0x78, count: 100_000))
            }
        }
    }

    /// A complete answer: a status such as `503 Service Unavailable`, header fields and a body.
    static func answer(_ status: String, _ fields: String..., body: String = "") -> Response {
        .text(
            (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields + ["", body]).joined(
                separator: "\r\n"
            )
        )
    }
}
