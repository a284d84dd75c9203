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
