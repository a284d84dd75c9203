import ReachBasics
import ReachMonitoring

extension String {
    /// The text with control characters escaped, so that a message stays on one line and cannot control the terminal.
    var onOneLine: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar.isControl ? "\\u{\(String(scalar.value, radix: 16))}" : String(Character(scalar))
        }
    }

    /// The text in quotation marks, truncated to 60 characters.
    var quoted: String {
        count > 60 ? "\"\(prefix(57))…\"" : "\"\(self)\""
    }

    /// The text as one word of a shell command, quoted if necessary.
    package var shellWord: String {
        let isPlain = !isEmpty && utf8.allSatisfy { "/._-+@%:=,".utf8.contains($0) || $0.isASCIILetterOrDigit }
        return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}

extension String {
    /// The hint for a misspelled word, `did you mean "tcp"?`; nil if no choice is near.
    func suggestion(among choices: some Sequence<String>) -> String? {
        nearest(of: choices).map { "did you mean \($0.quoted)?" }
    }

    /// A regular expression that matches exactly this text.
    var escapedPattern: String {
        map { "\\^$.|?*+()[]{}".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    /// The text as a TOML key, in quotes if necessary.
    var tomlKey: String {
        !isEmpty && utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
            ? self : tomlString()
    }

    /// The text as a TOML string on one line. Its quotes are those of an example, if they can hold the text.
    func tomlString(like example: String = "\"") -> String {
        let isPlain = !unicodeScalars.contains { $0.isControl && $0 != "\t" }
        if example.hasPrefix("'"), isPlain, !contains("'") { return "'\(self)'" }
        return jsonString
    }
}
