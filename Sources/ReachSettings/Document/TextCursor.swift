/// Reads a TOML text scalar by scalar, and tracks line and column.
struct TextCursor {
    let scalars: [Unicode.Scalar]
    private(set) var index: Int
    /// The position of the next scalar.
    private(set) var location = Location(line: 1, column: 1)

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        // A byte order mark is not part of the first line.
        index = scalars.first == "\u{FEFF}" ? 1 : 0
    }

    /// Whether all scalars were read.
    var isAtEnd: Bool { index >= scalars.count }

    /// Returns the scalar at an offset from the cursor; nil past the end.
    func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    /// Moves the cursor to an index. The location is not updated.
    mutating func move(to index: Int) {
        self.index = index
    }

    /// Reads the next scalar.
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

    /// Consumes the next scalar if it equals `scalar`, and returns whether it did.
    mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        next()
        return true
    }

    /// Consumes and returns scalars while they satisfy the condition.
    @discardableResult
    mutating func consume(while condition: (Unicode.Scalar) -> Bool) -> String {
        var consumed = String.UnicodeScalarView()
        while let scalar = peek(), condition(scalar) {
            consumed.append(scalar)
            next()
        }
        return String(consumed)
    }

    /// Skips spaces and tabs.
    mutating func skipBlanks() {
        consume { $0 == " " || $0 == "\t" }
    }

    /// Skips spaces, tabs, line ends and comments.
    mutating func skipToContent() {
        while let scalar = peek() {
            switch scalar {
            case " ", "\t", "\r", "\n": next()
            case "#": consume { $0 != "\n" }
            default: return
            }
        }
    }
}

extension TextCursor {
    /// Reads the keys of a header or an entry, separated by dots, bare or quoted.
    mutating func consumeKeys() -> [(text: String, location: Location)] {
        var keys: [(String, Location)] = []
        repeat {
            skipBlanks()
            let start = location
            let isQuoted = peek() == "\"" || peek() == "'"
            keys.append((isQuoted ? consumeString() : consume { $0.isBareKey }, start))
            skipBlanks()
        } while consume(".")
        return keys
    }

    /// Reads a string in any of TOML's four notations. The cursor must be at its opening quote.
    mutating func consumeString() -> String {
        guard let quote = next() else { return "" }
        var content = String.UnicodeScalarView()
        guard peek() == quote, peek(1) == quote else {
            while let scalar = next(), scalar != quote, scalar != "\n" {
                content.append(unescaped(scalar, in: quote))
            }
            return String(content)
        }
        next()
        next()
        while let scalar = next() {
            if scalar == quote, peek() == quote, peek(1) == quote {
                // The content may end with up to two quotes before the closing three.
                while consume(quote) {}
                break
            }
            content.append(unescaped(scalar, in: quote))
        }
        return String(content)
    }

    /// Returns the scalar itself, or in a double-quoted string the scalar that an escape stands for.
    private mutating func unescaped(_ scalar: Unicode.Scalar, in quote: Unicode.Scalar) -> Unicode.Scalar {
        guard quote == "\"", scalar == "\\", let escape = next() else { return scalar }
        switch escape {
        case "b": return "\u{8}"
        case "t": return "\t"
        case "n": return "\n"
        case "f": return "\u{C}"
        case "r": return "\r"
        case "u": return consumeCodePoint(digits: 4)
        case "U": return consumeCodePoint(digits: 8)
        default: return escape
        }
    }

    private mutating func consumeCodePoint(digits: Int) -> Unicode.Scalar {
        var remaining = digits
        let number = consume { digit in
            remaining -= 1
            return remaining >= 0 && digit.properties.isASCIIHexDigit
        }
        return UInt32(number, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
    }
}
