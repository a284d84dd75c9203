#if !os(Linux)
package import ReachMonitoring

/// A prober of paths, which needs the error queues of Linux. The ICMP datagram sockets of macOS deliver the messages of
/// routers instead; that is not implemented.
package final class PathProber {
    /// The time after which a connection attempt is given up.
    package static let connectionLifetime = Duration.milliseconds(950)

    /// Always fails on this system.
    ///
    /// - Throws: A fault.
    package init(wallTime: @escaping () -> Duration = { .sinceEpoch }) throws(Fault) {
        throw Self.unsupported
    }

    /// The descriptor to poll.
    package var descriptor: CInt { -1 }
    /// The numbers of answers that were dropped.
    package var counts: PathCounts { PathCounts() }
    /// The number of open sockets.
    package var socketCount: Int { 0 }
    /// When the next connection attempt is given up.
    package var nextDeadline: Duration? { nil }

    /// Sends a probe.
    package func send(_ probe: PathProbe, at now: Duration) -> Outcome? { .fault(Self.unsupported) }

    /// Reads the answers that have arrived.
    package func read(at now: Duration) -> [PathAnswer] { [] }

    /// Ends the wait for the answer to a probe.
    package func forget(_ number: UInt32) {
        // There are no probes.
    }

    /// Closes all sockets.
    package func close() {
        // There are none.
    }

    /// Returns why this user cannot probe paths by a method and family.
    package static func fault(of method: PathMethod, isIPv6: Bool) -> Fault? { unsupported }

    private static let unsupported = Fault(.internal, detail: "paths are not supported on this system")
}
#endif
