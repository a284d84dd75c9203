import LibC
import Monitoring

extension IPAddress {
    /// Makes sure that a socket can be bound to the address; the kernel is the one who knows.
    func mustBeLocal() throws(Fault) {
        let descriptor = socket(family == .ipv4 ? AF_INET : AF_INET6, SocketType.datagram, 0)
        guard descriptor >= 0 else { throw Fault(errno: errno) }
        defer { close(descriptor) }
        let code = Origin.address(self).apply(to: descriptor, family)
        switch code {
        case 0: return
        case EADDRNOTAVAIL: throw Fault(.noSource, detail: "source \(self): no address of this machine")
        case EINVAL where lacksInterface:
            throw Fault(.noSource, detail: "source \(self): which interface? as in fe80::1%eth0")
        default: throw Fault(errno: code)
        }
    }
}
