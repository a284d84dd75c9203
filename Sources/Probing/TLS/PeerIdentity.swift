import Monitoring

/// The name or address that a peer's certificate must be for.
enum PeerIdentity: Sendable, Hashable {
    /// A name, which the handshake also sends (RFC 6066 §3).
    case name(String)
    /// An address, which a handshake cannot send.
    case address(IPAddress)

    init(_ text: String) {
        self = IPAddress(literal: text).map(Self.address) ?? .name(text)
    }

    /// The server name to send in the handshake, without a trailing dot; nil for an address.
    var requestedName: String? {
        guard case .name(let name) = self else { return nil }
        return name.last == "." ? String(name.dropLast()) : name
    }
}
