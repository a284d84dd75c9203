/// The words of a manual page in mdoc, the language of mdoc(7), which groff and mandoc both read.
///
/// What comes out is ASCII alone, so that no reader has to guess its encoding, and no text of ours can become a macro.
enum Mdoc {
    /// Characters that have a name in groff_char(7).
    private static let names: [Unicode.Scalar: String] = [
        "\\": "\\e", "…": "...", "–": "\\(en", "−": "\\(mi", "≤": "\\(<=", "≥": "\\(>=",
        "↑": "\\(ua", "↓": "\\(da", "←": "\\(<-", "→": "\\(->", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
    ]

    /// A text, or a part of a line, as it stands; a minus stays one that can be copied.
    static func text(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "-" {
                result += "\\-"
            } else if let name = names[scalar] {
                result += name
            } else if scalar.isASCII {
                result.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }

    /// An argument of a macro: a short word or a sign alone might be taken for a macro or for punctuation.
    static func argument(_ word: String) -> String {
        "\\&" + text(word).replacing("\"", with: "\\(dq").replacing(" ", with: "\\ ") + "\\&"
    }

    /// A paragraph in lines of up to 78 characters, each sentence on one of its own, as mdoc(7) wants it.
    static func paragraph(_ paragraph: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(whereSeparator: \.isWhitespace).map({ text(String($0)) }) {
            if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > 78 {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? word : " \(word)"
            if let last = word.last, ".?!".contains(last) {
                lines.append(line)
                line = ""
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// Paragraphs, as they stand in the help of a command: each of its lines is one.
    static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n").flatMap { [".Pp"] + paragraph(String($0)) }
    }

    /// Lines that stay as they are.
    static func literal(_ text: String) -> [String] {
        [".Bd -literal -offset indent"] + text.split(separator: "\n").map { Self.text(String($0)) } + [".Ed"]
    }

    /// A list of terms, each of them the rest of its line, with what is to be said of them.
    static func list(_ rows: [(term: String, text: String)]) -> [String] {
        [".Bl -tag -width Ds"] + rows.flatMap { [".It \($0.term)"] + paragraph($0.text) } + [".El"]
    }

    /// A list of words, each of the kind that a macro marks; where a term has several, a comma divides them.
    static func list(of macro: String, _ rows: KeyValuePairs<String, String>) -> [String] {
        list(
            rows.map { words, text in
                let terms = words.split(separator: ", ").map { "\(macro) \(argument(String($0)))" }
                return (term: terms.joined(separator: " , "), text: text)
            }
        )
    }
}
