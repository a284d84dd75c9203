public import Testing

/// A text as an argument of a test. Only its beginning is in the output.
public struct LongText: Sendable, CustomTestStringConvertible, ExpressibleByStringLiteral,
    ExpressibleByStringInterpolation
{
    /// The whole text.
    public let text: String

    /// Creates an argument.
    public init(_ text: String) { self.text = text }

    /// Creates an argument from a literal.
    public init(stringLiteral value: String) { text = value }

    /// The beginning, and the length.
    public var testDescription: String {
        text.count <= 60 ? text : "\(text.prefix(60))… (\(text.utf8.count) bytes)"
    }
}
