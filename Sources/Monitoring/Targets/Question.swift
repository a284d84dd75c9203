/// What is asked of a target: its URL, with the options of its method.
public enum Question: Sendable, Hashable {
    /// Does `host` answer an echo request?
    case icmp(host: String, ICMPOptions = ICMPOptions())
    /// Does `host` accept a connection on `port`, and say what is expected?
    case tcp(host: String, port: UInt16, TCPOptions = TCPOptions())

    /// How the target is asked.
    public var method: Method {
        switch self {
        case .icmp: .icmp
        case .tcp: .tcp
        }
    }

    /// The name or address that is asked, an IPv6 address without its brackets.
    public var host: String {
        switch self {
        case .icmp(let host, _), .tcp(let host, _, _): host
        }
    }

    /// The port that is asked, for methods that have one.
    public var port: UInt16? {
        switch self {
        case .icmp: nil
        case .tcp(_, let port, _): port
        }
    }

    /// What follows the scheme, as a person writes it: `192.0.2.1`, `nas.local:445`, `[::1]:22`.
    public var authority: String {
        guard let port else { return host }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// The whole URL: `tcp://nas.local:445`.
    public var url: String {
        let isBareIPv6 = port == nil && host.contains(":")
        return "\(method.rawValue)://\(isBareIPv6 ? "[\(host)]" : authority)"
    }
}
