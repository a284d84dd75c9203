/// What is said to a peer: bytes, which are mostly text.
public struct Payload: Sendable, Hashable, ExpressibleByStringLiteral {
    /// What goes over the wire.
    public let bytes: [UInt8]

    /// These bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A text in UTF-8.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// A text in UTF-8.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}
