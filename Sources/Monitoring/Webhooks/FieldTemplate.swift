/// A text with fields, `${REACH_…}`, that are filled in for each request.
struct FieldTemplate: Sendable, Hashable {
    /// A part of the text.
    enum Piece: Sendable, Hashable {
        /// Literal text.
        case text(String)
        /// The name of a field: `REACH_TARGET`.
        case field(String)
    }

    /// The parts, in their order.
    let pieces: [Piece]

    /// Parses a text. A `${` that begins no field is literal text.
    init(_ text: String) {
        var pieces: [Piece] = []
        var rest = text[...]
        for match in text.matches(of: /\$\{(REACH_[A-Z0-9_]*)\}/) {
            if rest.startIndex < match.range.lowerBound {
                pieces.append(.text(String(rest[..<match.range.lowerBound])))
            }
            pieces.append(.field(String(match.1)))
            rest = rest[match.range.upperBound...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
    }

    /// The names of the fields, in their order.
    var fields: [String] {
        pieces.compactMap { if case .field(let name) = $0 { name } else { nil } }
    }

    /// Returns the text with each field replaced by its encoded value. An unknown field is empty, as in a shell.
    func filled(by values: [String: String], encoding: (String) -> String) -> String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let literal): text += literal
            case .field(let name): text += encoding(values[name] ?? "")
            }
        }
    }

    /// Returns the text, a template of JSON, with its fields filled in. Within a string, values are escaped. Elsewhere
    /// a value becomes a number, `true` or `false` if it looks like one, `null` if it is empty, and otherwise a string.
    /// So no value changes the structure of the document.
    func filledAsJSON(by values: [String: String]) -> String {
        var isInString = false
        var isEscaped = false
        return pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let literal):
                for scalar in literal.unicodeScalars {
                    if isEscaped {
                        isEscaped = false
                    } else if scalar == "\"" {
                        isInString.toggle()
                    } else {
                        isEscaped = isInString && scalar == "\\"
                    }
                }
                text += literal
            case .field(let name):
                let value = values[name] ?? ""
                text += isInString ? value.jsonEscaped : value.jsonLiteral
            }
        }
    }
}
