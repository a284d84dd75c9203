extension TextCursor {
    /// Takes a string in any of TOML's four notations; the cursor stands at its opening quote.
    mutating func takeString() -> String {
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
                // Up to two more quotes may stand before the closing three.
                while take(quote) {}
                break
            }
            content.append(unescaped(scalar, in: quote))
        }
        return String(content)
    }

    /// What a scalar of a string stands for: itself, but for the escapes between double quotes.
    private mutating func unescaped(_ scalar: Unicode.Scalar, in quote: Unicode.Scalar) -> Unicode.Scalar {
        guard quote == "\"", scalar == "\\", let escape = next() else { return scalar }
        switch escape {
        case "b": return "\u{8}"
        case "t": return "\t"
        case "n": return "\n"
        case "f": return "\u{C}"
        case "r": return "\r"
        case "u": return takeCodePoint(digits: 4)
        case "U": return takeCodePoint(digits: 8)
        default: return escape
        }
    }

    private mutating func takeCodePoint(digits: Int) -> Unicode.Scalar {
        var left = digits
        let number = take { digit in
            left -= 1
            return left >= 0 && digit.properties.isASCIIHexDigit
        }
        return UInt32(number, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
    }
}
