/// What an echo request looks like.
public struct ICMPOptions: Sendable, Hashable {
    /// The sizes that are allowed: sixteen bytes carry the cookie that tells our replies from others, and 65,507 is
    /// what an IPv4 datagram can hold.
    public static let sizes = 16...65_507

    /// Bytes of payload after the eight-byte ICMP header.
    public var size: Int
    /// Routers that the request may pass: the IPv4 time to live or the IPv6 hop limit.
    public var ttl: Int
    /// The differentiated services code point of the request, 0…63 (RFC 2474).
    public var dscp: Int

    /// Options with `ping`'s defaults.
    public init(size: Int = 56, ttl: Int = 64, dscp: Int = 0) {
        self.size = size
        self.ttl = ttl
        self.dscp = dscp
    }
}
