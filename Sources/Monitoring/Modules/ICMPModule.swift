/// The echo request of an ICMP module.
package struct ICMPModule: Sendable, Hashable {
    /// The size, and the largest number of routers.
    package var options = ICMPOptions(size: 28)
    /// Whether routers may not fragment the request.
    package var isUnfragmented = false

    /// Creates a request of the size of the blackbox exporter's.
    package init() {}
}
