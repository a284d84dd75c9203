import LibC
import Synchronization

/// Ports on loopback that are closed until a test opens them.
///
/// They are below those that systems choose for programs: the port of a server that was closed can be given to another
/// test.
public enum ClosedPorts {
    private static let last = Atomic<UInt16>(10_000)

    /// Returns a port that nothing listens on. Each is returned once.
    public static func next() -> UInt16 {
        while true {
            let port = last.add(1, ordering: .relaxed).newValue
            if isFree(port) { return port }
        }
    }

    private static func isFree(_ port: UInt16) -> Bool {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
