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
