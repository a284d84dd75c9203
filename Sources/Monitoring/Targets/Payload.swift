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
