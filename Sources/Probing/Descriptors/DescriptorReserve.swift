import LibC
import Monitoring

/// The descriptors kept free of probes: a command takes seven while it starts, a name lookup two, and the settings file
/// one.
struct DescriptorReserve: Sendable {
    /// The size of the reserve under a limit.
    static func size(of limit: UInt) -> UInt { min(64, limit / 4) }

    /// The number of probes that may be sent before the next check.
    private var uncheckedProbes: UInt = 0

    /// The fault of a probe that would take a descriptor of the reserve; nil if there are enough.
    ///
    /// A check costs 0.6 µs. Without a shortage, it is made once for every eighth of the reserve.
    mutating func shortage(isLimited: Bool) -> Fault? {
        guard isLimited || uncheckedProbes == 0 else {
            uncheckedProbes -= 1
            return nil
        }
        // The kernel returns the lowest free number: if it is within the reserve, no other descriptor is free.
        let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return errno == EMFILE ? Fault(errno: EMFILE) : nil }
        closeDescriptor(descriptor)
        // Read again: the user may raise it meanwhile.
        let limit = DescriptorLimit.current.soft
        let size = Self.size(of: limit)
        uncheckedProbes = size / 8
        return limit > 0 && UInt(descriptor) >= limit - size ? Fault(errno: EMFILE) : nil
    }
}

extension Fault {
    /// The fault of a process that cannot open a descriptor now; nil if it can.
    static func descriptorShortage() -> Fault? {
        let descriptor = socket(AF_INET, SocketType.datagram, 0)
        guard descriptor < 0 else {
            closeDescriptor(descriptor)
            return nil
        }
        let code = errno
        return code == EMFILE || code == ENFILE ? Fault(errno: code) : nil
    }
}
