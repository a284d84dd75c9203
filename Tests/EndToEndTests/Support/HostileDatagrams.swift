import Foundation

/// Answers each datagram on a loopback port with many.
final class HostileDatagrams: Sendable {
    let port: UInt16
    private let descriptor: Int32

    /// - Parameter answers: what is said to a question.
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
        guard code == 0 else { throw Missing(description: "no port for datagrams") }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            var question = [UInt8](repeating: 0, count: 4_096)
            while true {
                var asker = sockaddr_storage()
                var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
                let isOver = withUnsafeMutablePointer(to: &asker) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { asker in
                        let count = recvfrom(descriptor, &question, question.count, 0, asker, &size)
                        guard count > 0 else { return true }
                        for answer in answers(Array(question[..<count])) {
                            sendto(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL), asker, size)
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
        // Whoever reads notices.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
