/// What is sent with a request: the same bytes at every try, however many there are.
public struct RequestBody: Sendable {
    enum Part: Sendable {
        case bytes([UInt8])
        case file(BodyFile)
    }

    private(set) var parts: [Part]

    /// A text, as UTF-8.
    public init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// Bytes in memory.
    public init(_ bytes: [UInt8]) {
        parts = [.bytes(bytes)]
    }

    /// A file, read anew at every try.
    public init(_ file: BodyFile) {
        parts = [.file(file)]
    }

    /// Adds another body at the end.
    public mutating func append(_ other: RequestBody) {
        parts += other.parts
    }

    /// How many bytes it has.
    public var length: Int64 {
        parts.reduce(0) { sum, part in
            switch part {
            case .bytes(let bytes): sum + Int64(bytes.count)
            case .file(let file): sum + file.length
            }
        }
    }
}

extension RequestBody: ExpressibleByStringLiteral {
    /// A text, as UTF-8.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}
