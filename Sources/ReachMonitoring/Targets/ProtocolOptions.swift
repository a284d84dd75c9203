/// The exchange on a TCP connection after it is established.
public struct TCPOptions: Sendable, Hashable {
    /// Bytes to send after connecting; nil for none.
    public var send: Payload?
    /// A regular expression that must match the first bytes of the reply; nil accepts any connection.
    public var expect: String?

    /// Creates options; by default the connection is only established.
    public init(send: Payload? = nil, expect: String? = nil) {
        self.send = send
        self.expect = expect
    }
}

/// A UDP datagram and the expected reply.
public struct UDPOptions: Sendable, Hashable {
    /// The datagram's bytes; nil for an empty datagram.
    public var send: Payload?
    /// A regular expression that must match the reply; nil accepts any reply.
    public var expect: String?

    /// Creates options; by default an empty datagram that accepts any reply.
    public init(send: Payload? = nil, expect: String? = nil) {
        self.send = send
        self.expect = expect
    }
}

/// The properties of an ICMP echo request.
public struct ICMPOptions: Sendable, Hashable {
    /// The allowed sizes. Sixteen bytes carry the cookie that identifies our replies, and 65,507 bytes is the most in
    /// an IPv4 datagram.
    public static let sizes = 16...65_507

    /// Bytes of payload after the eight-byte ICMP header. A size outside of ``sizes`` counts as the nearest allowed one.
    public var size: Int
    /// The most routers on the path: the IPv4 time to live or the IPv6 hop limit, 1…255.
    public var ttl: Int
    /// The differentiated services code point of the request, 0…63 (RFC 2474).
    public var dscp: Int
    /// Whether no router may fragment the request. Small requests are never fragmented.
    package var isUnfragmented = false

    /// Creates options with the defaults of `ping`.
    public init(size: Int = 56, ttl: Int = 64, dscp: Int = 0) {
        self.size = size
        self.ttl = ttl
        self.dscp = dscp
    }
}

/// How a session, a held TCP connection, is kept and judged.
public struct SessionOptions: Sendable, Hashable {
    /// The meaning of an orderly close by the peer while no data is outstanding.
    public enum IdleClose: String, Sendable, Hashable, CaseIterable {
        /// The session has failed.
        case fails
        /// The server closes idle connections; the session reconnects, and the target stays up.
        case ok
    }

    /// The idle time before the kernel probes the peer (TCP keep-alive, RFC 9293 §3.8.4).
    public var keepalive: Duration
    /// Bytes to send every interval, as a heartbeat.
    public var send: Payload?
    /// A regular expression that must match the reply to each heartbeat; without ``send``, the first bytes from the
    /// peer.
    public var expect: String?
    /// The meaning of an orderly close.
    public var idleClose: IdleClose

    /// Creates options; by default the connection is only held.
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

/// The options of a TLS handshake and for the certificate.
public struct TLSOptions: Sendable, Hashable {
    /// A protocol that starts in plain text and is upgraded to TLS.
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

    /// A PEM file with the trusted authorities, in place of the system's.
    public var ca: String?
    /// The server name to request, which the certificate must match, in place of the host.
    public var serverName: String?
    /// Whether the certificate is verified.
    public var verifies: Bool
    /// The number of days before the certificate's expiry from which the target is degraded.
    public var warnDays: Int?
    /// The protocol before the upgrade to TLS.
    public var starttls: StartTLS?
    /// A PEM file with the certificate for servers that request one, followed by those of its issuers; nil for none.
    public var certificate: String?
    /// A PEM file with the private key of the certificate, which is not encrypted; nil if the file of the certificate
    /// has it.
    public var key: String?

    /// Creates options; by default the certificate is verified with the system's authorities and the host's name.
    public init(
        ca: String? = nil,
        serverName: String? = nil,
        verifies: Bool = true,
        warnDays: Int? = nil,
        starttls: StartTLS? = nil,
        certificate: String? = nil,
        key: String? = nil
    ) {
        self.ca = ca
        self.serverName = serverName
        self.verifies = verifies
        self.warnDays = warnDays
        self.starttls = starttls
        self.certificate = certificate
        self.key = key
    }
}

/// The bytes sent to a peer, which are mostly text.
public struct Payload: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The bytes.
    public let bytes: [UInt8]

    /// Creates a payload from bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a payload from a text in UTF-8.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Creates a payload from a text in UTF-8.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}
