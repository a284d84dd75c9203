/// Formats text in mdoc(7), the manual page language of groff and mandoc.
///
/// The output is ASCII, so that its encoding is unambiguous, and escaped, so that no text is read as a macro.
enum Mdoc {
    /// The escapes of characters by groff_char(7).
    private static let names: [Unicode.Scalar: String] = [
        "\\": "\\e", "…": "...", "–": "\\(en", "−": "\\(mi", "≤": "\\(<=", "≥": "\\(>=",
        "↑": "\\(ua", "↓": "\\(da", "←": "\\(<-", "→": "\\(->", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
    ]

    /// Returns escaped text. A hyphen becomes a minus sign, so that options can be copied from the page.
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

    /// Returns an escaped macro argument. Without escapes, a short word or a sign could be read as a macro or punctuation.
    static func argument(_ word: String) -> String {
        "\\&" + text(word).replacing("\"", with: "\\(dq").replacing(" ", with: "\\ ") + "\\&"
    }

    /// Returns a paragraph in lines of up to 78 characters, each sentence on a new line, as mdoc(7) recommends.
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

    /// Returns the paragraphs of a help text, one for each of its lines.
    static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n").flatMap { [".Pp"] + paragraph(String($0)) }
    }

    /// Returns lines without filling.
    static func literal(_ text: String) -> [String] {
        [".Bd -literal -offset indent"] + text.split(separator: "\n").map { Self.text(String($0)) } + [".Ed"]
    }

    /// Returns a list of terms with descriptions. A term is a sequence of macros.
    static func list(_ rows: [(term: String, text: String)]) -> [String] {
        [".Bl -tag -width Ds"] + rows.flatMap { [".It \($0.term)"] + paragraph($0.text) } + [".El"]
    }

    /// Returns a list of words that are all marked by one macro. A comma separates the words of a term.
    static func list(of macro: String, _ rows: KeyValuePairs<String, String>) -> [String] {
        list(
            rows.map { words, text in
                let terms = words.split(separator: ", ").map { "\(macro) \(argument(String($0)))" }
                return (term: terms.joined(separator: " , "), text: text)
            }
        )
    }
}
