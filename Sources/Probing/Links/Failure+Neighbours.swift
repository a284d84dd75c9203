import Monitoring

extension Failure {
    /// How long the kernel resolves the link-layer address of a neighbour: three requests, a second apart
    /// (`mcast_solicit` and `retrans_time_ms` of arp(7)).
    private static let neighbourResolution = Duration.seconds(3)

    /// Whether this may be the failure of a neighbour resolution that started before a link or route returned, and says
    /// nothing about the host.
    ///
    /// The kernel queues packets during a resolution, and all of them fail with it. If its last request was lost before
    /// the return, so are the first packets after it. A resolution that starts after the return does not fail as soon.
    ///
    /// - Parameter routeReturn: when the link or route returned.
    func isStale(at now: Duration, since routeReturn: Duration) -> Bool {
        reason == .hostUnreachable && now - routeReturn < Self.neighbourResolution
    }
}
