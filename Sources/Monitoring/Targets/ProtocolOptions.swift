/// What is said on a TCP connection once it stands.
public struct TCPOptions: Sendable, Hashable {
    /// Bytes to send after connecting; nothing when absent.
    public var send: Payload?
    /// A regular expression that the first bytes of the answer must match; connecting is enough when absent.
    public var expect: String?

    /// Options that only connect, unless told otherwise.
    public init(send: Payload? = nil, expect: String? = nil) {
        self.send = send
        self.expect = expect
    }
}

/// What is sent in a datagram and which answer is expected.
public struct UDPOptions: Sendable, Hashable {
    /// The datagram's bytes; empty when absent.
    public var send: Payload?
    /// A regular expression that the answer must match; any answer will do when absent.
    public var expect: String?

    /// Options that send an empty datagram and take any answer, unless told otherwise.
    public init(send: Payload? = nil, expect: String? = nil) {
        self.send = send
        self.expect = expect
    }
}

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

/// How a held TCP connection is kept and judged.
public struct SessionOptions: Sendable, Hashable {
    /// What an end means that the peer brings about in order, without data on its way.
    public enum IdleClose: String, Sendable, Hashable, CaseIterable {
        /// The session has failed.
        case fails
        /// The server hangs up on idle peers; it is asked again, and stays up.
        case ok
    }

    /// How long the connection is idle before the kernel asks whether the peer is there (TCP keep-alive, RFC 9293
    /// §3.8.4).
    public var keepalive: Duration
    /// Bytes to send every interval, as a heartbeat.
    public var send: Payload?
    /// A regular expression that the answer to every heartbeat must match; without ``send``, what the peer says first.
    public var expect: String?
    /// What an end of the connection in order means.
    public var idleClose: IdleClose

    /// Options that only hold the connection, unless told otherwise.
    public init(
        keepalive: Duration = .seconds(15),
        send: Payload? = nil,
        expect: String? = nil,
        idleClose: IdleClose = .fails
    ) {
        self.keepalive = keepalive
        self.send = send
        self.expect = expect
        self.idleClose = idleClose
    }
}

/// What is asked of a TLS handshake and of the certificate.
public struct TLSOptions: Sendable, Hashable {
    /// A protocol that begins in clear and is asked to change to TLS.
    public enum StartTLS: String, Sendable, Hashable, CaseIterable {
        /// RFC 3207.
        case smtp
        /// RFC 9051 §6.2.1.
        case imap
        /// RFC 2595.
        case pop3
        /// RFC 4217.
        case ftp
        /// The SSLRequest message of PostgreSQL's protocol.
        case postgres
    }

    /// A PEM file with the authorities that are trusted in place of the system's.
    public var ca: String?
    /// The name that is asked for and that the certificate must bear, in place of the host.
    public var serverName: String?
    /// Whether the certificate is judged at all.
    public var verifies: Bool
    /// A certificate that expires within so many days degrades the target.
    public var warnDays: Int?
    /// The protocol that is spoken before TLS.
    public var starttls: StartTLS?

    /// Options that judge the certificate by the system's authorities and the host's name.
    public init(
        ca: String? = nil,
        serverName: String? = nil,
        verifies: Bool = true,
        warnDays: Int? = nil,
        starttls: StartTLS? = nil
    ) {
        self.ca = ca
        self.serverName = serverName
        self.verifies = verifies
        self.warnDays = warnDays
        self.starttls = starttls
    }
}
