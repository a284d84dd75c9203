import Foundation
import Synchronization

/// A TCP server on loopback that treats each connection with the same hostile behavior.
final class HostilePeer: Sendable {
    /// The behavior towards a connection.
    enum Behavior: Sendable {
        /// Sends the first bytes, then repeats the others as fast as the peer reads.
        case endless([UInt8], again: [UInt8])
        /// Sends the first bytes, then repeats the others, at one byte a second.
        case slow([UInt8], again: [UInt8])
        /// Sends the bytes and closes.
        case once([UInt8])
        /// Sends the bytes and holds the connection.
        case hold([UInt8])
    }

    let port: UInt16
    private let descriptor: Int32
    private let behavior: Behavior
    private let sent = Mutex<[Int]>([])
    private let isClosing = Atomic(false)

    init(_ behavior: Behavior) throws {
        self.behavior = behavior
        (port, descriptor) = try Listener.open()
        serve()
    }

    deinit {
        isClosing.store(true, ordering: .relaxed)
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// The bytes that each ended connection accepted, including those in the kernel's send buffer.
    var bytesSent: [Int] { sent.withLock(\.self) }

    private func serve() {
        Thread.detachNewThread { [weak self, descriptor, behavior] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                Thread.detachNewThread { [weak self] in
                    let count = Self.serve(connection, with: behavior) {
                        self?.isClosing.load(ordering: .relaxed) ?? true
                    }
                    close(connection)
                    self?.sent.withLock { $0.append(count) }
                }
            }
            close(descriptor)
        }
    }

    /// Runs the behavior on a connection, and returns the bytes that the peer accepted.
    private static func serve(_ connection: Int32, with behavior: Behavior, until isOver: () -> Bool) -> Int {
        // A small send buffer: bytes in the kernel are not yet read by the program.
        var size: Int32 = 65_536
        setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var limit = timeval(tv_sec: 0, tv_usec: 100_000)
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        // Reads the request first, where there is one: an answer before the request is a different fault.
        var request = [UInt8](repeating: 0, count: 4_096)
        _ = recv(connection, &request, request.count, 0)
        var count = 0
        let write = { (bytes: ArraySlice<UInt8>) in
            let sent = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            count += max(0, sent)
            return sent > 0 || sent < 0 && errno == EAGAIN
        }
        switch behavior {
        case .once(let bytes):
            _ = write(bytes[...])
        case .hold(let bytes):
            _ = write(bytes[...])
            while !isOver(), recv(connection, &request, request.count, 0) != 0 {}
        case .endless(let first, let again):
            var isOpen = write(first[...])
            while isOpen, !isOver() { isOpen = write(again[...]) }
        case .slow(let first, let again):
            var (isOpen, rest) = (true, first[...])
            while isOpen, !isOver() {
                if rest.isEmpty { rest = again[...] }
                isOpen = write(rest.prefix(1))
                rest.removeFirst()
                // Ten times the receive timeout: one second.
                for _ in 0..<10 where isOpen && !isOver() {
                    isOpen = recv(connection, &request, request.count, 0) != 0
                }
            }
        }
        return count
    }
}

/// A UDP server on loopback that answers each datagram with many.
final class HostileDatagrams: Sendable {
    let port: UInt16
    private let descriptor: Int32

    /// - Parameter answers: returns the datagrams to send for a received one.
    init(_ answers: @escaping @Sendable ([UInt8]) -> [[UInt8]]) throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) + getsockname(descriptor, $0, &size)
            }
        }
        guard code == 0 else { throw TestFailure(description: "no port for datagrams") }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            var request = [UInt8](repeating: 0, count: 4_096)
            while true {
                var sender = sockaddr_storage()
                var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
                let isOver = withUnsafeMutablePointer(to: &sender) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sender in
                        let count = recvfrom(descriptor, &request, request.count, 0, sender, &size)
                        guard count > 0 else { return true }
                        for answer in answers(Array(request[..<count])) {
                            sendto(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL), sender, size)
                        }
                        return false
                    }
                }
                if isOver { break }
            }
            close(descriptor)
        }
    }

    deinit {
        // Ends the blocking read; the thread then closes the descriptor.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
