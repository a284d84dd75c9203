import Foundation
import Synchronization

/// A web server on loopback that treats one request after another as its script says, the last line of it for ever, and
/// keeps the requests. Connections without a request are no requests.
final class ScriptedWeb: Sendable {
    /// What is done with a request.
    enum Deed: Sendable {
        /// Says this, and closes.
        case say(String)
        /// Says this, and breaks the connection off.
        case breakOff(after: String)
        /// Says nothing.
        case hang
        /// Answers with so many mebibytes, all of them zeros, with their length or in chunks.
        case zeros(mebibytes: Int, isChunked: Bool = false)
        /// Answers with so many pieces of 100,000 bytes, with a pause in seconds before each; ten million are promised.
        case slow(pieces: Int, pause: Double)
    }

    let port: UInt16
    private let script: Mutex<[Deed]>
    private let taken = Mutex<[String]>([])
    private let descriptor = Mutex<Int32>(-1)
    private let isClosing = Atomic(false)

    /// - Parameter isListening: whether it listens at once; who connects before is refused.
    init(_ script: Deed..., isListening: Bool = true) throws {
        self.script = Mutex(script)
        let descriptor: Int32
        (port, descriptor) = try Listener.open()
        if isListening { serve(descriptor) } else { close(descriptor) }
    }

    deinit {
        isClosing.store(true, ordering: .relaxed)
        descriptor.withLock { _ = shutdown($0, Int32(SHUT_RDWR)) }
    }

    /// Where it listens: `http://127.0.0.1:23456`.
    var url: String { "http://127.0.0.1:\(port)" }

    /// The requests so far, each with its body.
    var requests: [String] { taken.withLock(\.self) }

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
                    if let request = Self.read(connection), let deed = self?.next(request) {
                        Self.perform(deed, on: connection) { self?.isClosing.load(ordering: .relaxed) ?? true }
                    }
                    close(connection)
                }
            }
            close(listening)
        }
    }

    private func next(_ request: String) -> Deed {
        taken.withLock { $0.append(request) }
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

    private static func perform(_ deed: Deed, on connection: Int32, until isOver: () -> Bool) {
        func say(_ bytes: some Collection<UInt8>) -> Bool {
            var rest = Array(bytes)[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard sent > 0 else { return false }
                rest = rest.dropFirst(sent)
            }
            return true
        }
        let head = "HTTP/1.1 200 OK\r\n"
        switch deed {
        case .say(let text):
            _ = say(text.utf8)
        case .breakOff(let text):
            _ = say(text.utf8)
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        case .hang:
            while !isOver() { usleep(20_000) }
        case .zeros(let count, let isChunked):
            let zeros = [UInt8](repeating: 0, count: 1_048_576)
            let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(count * zeros.count)"
            var goesOn = say("\(head)\(framing)\r\n\r\n".utf8)
            let piece = isChunked ? Array("100000\r\n".utf8) + zeros + Array("\r\n".utf8) : zeros
            for _ in 0..<count where goesOn { goesOn = say(piece) }
            if isChunked { _ = say("0\r\n\r\n".utf8) }
        case .slow(let count, let pause):
            var goesOn = say("\(head)Content-Length: 10000000\r\n\r\n".utf8)
            for _ in 0..<count where goesOn && !isOver() {
                usleep(UInt32(pause * 1_000_000))
                goesOn = say([UInt8](repeating: 0x78, count: 100_000))
            }
        }
    }

    /// A whole answer: `503 Service Unavailable`, its fields and its body.
    static func answer(_ status: String, _ fields: String..., body: String = "") -> Deed {
        .say(
            (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields + ["", body]).joined(
                separator: "\r\n"
            )
        )
    }
}
