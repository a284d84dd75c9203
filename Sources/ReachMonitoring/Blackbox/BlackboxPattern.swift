/// A regular expression of a module.
///
/// Files of the blackbox exporter have the syntax of Go (https://pkg.go.dev/regexp/syntax). It is translated where Swift
/// reads the same text in another way.
package struct BlackboxPattern: Sendable, Hashable {
    /// The text in the settings.
    package let text: String
    /// The regular expression for Swift.
    package let expression: String

    /// Creates a pattern of Swift's syntax.
    package init(_ text: String) {
        (self.text, expression) = (text, text)
    }

    /// Creates a pattern of Go's syntax.
    package init(go text: String) {
        self.text = text
        // In Go, `\d`, `\s`, `\w` and `\b` are about ASCII only.
        expression = "(?P)" + Self.translated(text)
    }

    private static func translated(_ text: String) -> String {
        var rest = text[...]
        // With this flag, a dot also matches a line feed.
        let hasDotAll = text.contains(/\(\?[a-zA-Z]*s/)
        var result = ""
        var isInClass = false
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                guard let escaped = rest.popFirst() else { return result + "\\" }
                if escaped == "p" || escaped == "P", let name = rest.first, name != "{" {
                    rest.removeFirst()
                    result += "\\\(escaped){\(name)}"
                } else if escaped == "Q" {
                    let end = rest.firstRange(of: "\\E")
                    for quoted in rest[..<(end?.lowerBound ?? rest.endIndex)] {
                        let isPlain = quoted.isLetter || quoted.isNumber || !quoted.isASCII
                        result += isPlain ? "\(quoted)" : "\\\(quoted)"
                    }
                    rest = end.map { rest[$0.upperBound...] } ?? ""
                } else {
                    result += "\\\(escaped)"
                }
            case "[" where !isInClass:
                isInClass = true
                result += "["
                // A bracket at the beginning is a character of the class.
                if rest.first == "^" { result.append(rest.removeFirst()) }
                if rest.first == "]" {
                    rest.removeFirst()
                    result += "\\]"
                }
            case "[" where rest.first == ":":
                let end = rest.firstRange(of: ":]")?.upperBound ?? rest.startIndex
                result += "[" + rest[..<end]
                rest = rest[end...]
            case "[":
                result += "\\["
            case "]":
                isInClass = false
                result += "]"
            case "&" where isInClass, "~" where isInClass:
                result += "\\\(character)"
            case "-" where isInClass && rest.first == "-":
                // A hyphen at the beginning of the class is a character, otherwise the second one ends a range.
                if result.hasSuffix("[") || result.hasSuffix("[^") {
                    result += "\\-"
                } else {
                    rest.removeFirst()
                    result += "-\\-"
                }
            case "^" where !isInClass, "$" where !isInClass:
                // Go permits to repeat the beginning and the end of the text.
                let isRepeated = rest.first.map { "*+?{".contains($0) } ?? false
                result += isRepeated ? "(?:\(character))" : "\(character)"
            case "." where !isInClass && !hasDotAll:
                // Swift's dot matches no carriage return either.
                result += "[^\\n]"
            default:
                result.append(character)
            }
        }
        return result
    }
}
