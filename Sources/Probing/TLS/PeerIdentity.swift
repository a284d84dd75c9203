import Monitoring

/// Who the peer's certificate must speak for.
enum PeerIdentity: Sendable, Hashable {
    /// A name, which the handshake asks for too (RFC 6066 §3).
    case name(String)
    /// An address, which no handshake may ask for.
    case address(IPAddress)

    init(_ text: String) {
        self = IPAddress(literal: text).map(Self.address) ?? .name(text)
    }

    /// The name to ask for in the handshake, without the dot of a rooted one; nil for an address.
    var requestedName: String? {
        guard case .name(let name) = self else { return nil }
        return name.last == "." ? String(name.dropLast()) : name
    }

    /// The address in numbers, without an interface: certificates know of none.
    var address: String? {
        guard case .address(let address) = self else { return nil }
        return String("\(address)".prefix { $0 != "%" })
    }
}
