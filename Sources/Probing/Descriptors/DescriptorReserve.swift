import LibC
import Monitoring

/// The descriptors that probes leave to everything else: a command takes seven while it starts, a name two while it is
/// looked up, and the settings file one.
struct DescriptorReserve: Sendable {
    /// How many there are while this process may have so many open.
    static func size(of limit: UInt) -> UInt { min(64, limit / 4) }

    /// How many probes may be sent before the next look.
    private var unseen: UInt = 0

    /// The fault that a probe would take one of them; nil if it would not.
    ///
    /// To look costs 0.6 µs, and so a program that has enough looks at every eighth of the reserve only.
    mutating func lack(isLimited: Bool) -> Fault? {
        guard isLimited || unseen == 0 else {
            unseen -= 1
            return nil
        }
        // The kernel gives the lowest number that is free: below the reserve there is one, or there is none.
        let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return errno == EMFILE ? Fault(errno: EMFILE) : nil }
        closeDescriptor(descriptor)
        // Read anew: the user may raise it meanwhile.
        let limit = DescriptorLimit.current.soft
        let size = Self.size(of: limit)
        unseen = size / 8
        return limit > 0 && UInt(descriptor) >= limit - size ? Fault(errno: EMFILE) : nil
    }
}
