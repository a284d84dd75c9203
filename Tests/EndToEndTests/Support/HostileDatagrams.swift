import Foundation

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
