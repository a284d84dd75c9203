/// A text in which `${REACH_…}` stands for what is known when it is used.
struct FieldText: Sendable, Hashable {
    /// A part of the text.
    enum Piece: Sendable, Hashable {
        /// What is said as it stands.
        case text(String)
        /// The name of what stands here: `REACH_TARGET`.
        case field(String)
    }

    /// The parts, in their order.
    let pieces: [Piece]

    /// Reads a text. A `${` that begins no field is a text like any other.
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

    /// The text with every field replaced by what the encoding makes of its value. An unknown one is empty, as it would be
    /// in a shell.
    func filled(by values: [String: String], encoding: (String) -> String) -> String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let words): text += words
            case .field(let name): text += encoding(values[name] ?? "")
            }
        }
    }

    /// The text, which is a template of JSON, filled in: within a string, values are escaped; elsewhere they are numbers,
    /// `true` or `false` where they look like it, `null` where they are empty, and strings otherwise. So no value adds to
    /// the document's structure.
    func filledAsJSON(by values: [String: String]) -> String {
        var isInString = false
        var isEscaped = false
        return pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let words):
                for scalar in words.unicodeScalars {
                    if isEscaped {
                        isEscaped = false
                    } else if scalar == "\"" {
                        isInString.toggle()
                    } else {
                        isEscaped = isInString && scalar == "\\"
                    }
                }
                text += words
            case .field(let name):
                let value = values[name] ?? ""
                text += isInString ? value.jsonEscaped : value.jsonLiteral
            }
        }
    }
}
