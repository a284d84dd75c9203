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
