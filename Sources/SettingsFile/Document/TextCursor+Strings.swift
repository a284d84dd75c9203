extension TextCursor {
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
