extension Unicode.Scalar {
    /// Whether a terminal or a reader obeys it instead of showing it: a control character, the end of a line, or what
    /// turns the text after it around (UAX #9 §2). Joiners, of which emoji are made, are not among them.
    var isObeyed: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: properties.isBidiControl
        default: false
        }
    }
}

extension String {
    /// A text in JSON with an escape for every scalar that would be obeyed; all of them have four digits at most.
    var escapingObeyed: String {
        guard unicodeScalars.contains(where: \.isObeyed) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            guard scalar.isObeyed else { return text.unicodeScalars.append(scalar) }
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
