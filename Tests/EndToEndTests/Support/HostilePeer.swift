import Foundation
import Synchronization

/// Takes TCP connections on a loopback port, and does the same evil to each of them.
final class HostilePeer: Sendable {
    /// What it does.
    enum Deed: Sendable {
        /// Says something, and something else again and again, as fast as it is taken.
        case endless([UInt8], again: [UInt8])
        /// Says something, and something else again and again, a byte a second.
        case slow([UInt8], again: [UInt8])
        /// Says something and closes.
        case once([UInt8])
        /// Says something and holds the connection.
        case hold([UInt8])
    }

    let port: UInt16
    private let descriptor: Int32
    private let deed: Deed
    private let pushed = Mutex<[Int]>([])
    private let isClosing = Atomic(false)

    init(_ deed: Deed) throws {
        self.deed = deed
        (port, descriptor) = try Listener.open()
        serve()
    }

    deinit {
        isClosing.store(true, ordering: .relaxed)
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// How many bytes each connection took that has ended, what the kernel held of them included.
    var bytesPushed: [Int] { pushed.withLock(\.self) }

    private func serve() {
        Thread.detachNewThread { [weak self, descriptor, deed] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                Thread.detachNewThread { [weak self] in
                    let count = Self.wrong(connection, by: deed) { self?.isClosing.load(ordering: .relaxed) ?? true }
                    close(connection)
                    self?.pushed.withLock { $0.append(count) }
                }
            }
            close(descriptor)
        }
    }

    private static func wrong(_ connection: Int32, by deed: Deed, until isOver: () -> Bool) -> Int {
        // What the kernel holds is not what the program takes.
        var size: Int32 = 65_536
        setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var limit = timeval(tv_sec: 0, tv_usec: 100_000)
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        // A question first, where there is one: an answer before it is another thing.
        var question = [UInt8](repeating: 0, count: 4_096)
        _ = recv(connection, &question, question.count, 0)
        var count = 0
        let push = { (bytes: ArraySlice<UInt8>) in
            let sent = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            count += max(0, sent)
            return sent > 0 || sent < 0 && errno == EAGAIN
        }
        switch deed {
        case .once(let bytes):
            _ = push(bytes[...])
        case .hold(let bytes):
            _ = push(bytes[...])
            while !isOver(), recv(connection, &question, question.count, 0) != 0 {}
        case .endless(let first, let again):
            var goesOn = push(first[...])
            while goesOn, !isOver() { goesOn = push(again[...]) }
        case .slow(let first, let again):
            var (goesOn, rest) = (true, first[...])
            while goesOn, !isOver() {
                if rest.isEmpty { rest = again[...] }
                goesOn = push(rest.prefix(1))
                rest.removeFirst()
                // Ten times the timeout of a receive.
                for _ in 0..<10 where goesOn && !isOver() {
                    goesOn = recv(connection, &question, question.count, 0) != 0
                }
            }
        }
        return count
    }
}
