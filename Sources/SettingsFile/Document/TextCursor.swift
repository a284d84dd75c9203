/// Goes through a TOML text scalar by scalar and knows line and column.
struct TextCursor {
    private let scalars: [Unicode.Scalar]
    private(set) var index: Int
    /// Where the next scalar stands.
    private(set) var location = Location(line: 1, column: 1)

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        // A byte order mark is not part of the first line.
        index = scalars.first == "\u{FEFF}" ? 1 : 0
    }

    /// Whether the text is used up.
    var isAtEnd: Bool { index >= scalars.count }

    /// The scalar so many places ahead; nil past the end.
    func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    /// Takes the next scalar.
    @discardableResult
    mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek() else { return nil }
        index += 1
        if scalar == "\n" {
            location = Location(line: location.line + 1, column: 1)
        } else {
            location.column += 1
        }
        return scalar
    }

    /// Takes the next scalar if it is this one.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        next()
        return true
    }

    /// Takes scalars for as long as they satisfy the condition.
    @discardableResult
    mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
        var taken = String.UnicodeScalarView()
        while let scalar = peek(), condition(scalar) {
            taken.append(scalar)
            next()
        }
        return String(taken)
    }

    /// Skips blanks and tabs.
    mutating func skipBlanks() {
        take { $0 == " " || $0 == "\t" }
    }

    /// Skips blanks, the ends of lines, and comments.
    mutating func skipToContent() {
        while let scalar = peek() {
            switch scalar {
            case " ", "\t", "\r", "\n": next()
            case "#": take { $0 != "\n" }
            default: return
            }
        }
    }
}
