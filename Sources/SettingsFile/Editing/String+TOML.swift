import ReachBasics

extension String {
    /// The text as a TOML string on one line. Its quotes are those of an example, if they can hold the text.
    func tomlString(like example: String = "\"") -> String {
        let isPlain = !unicodeScalars.contains { $0.isControl && $0 != "\t" }
        if example.hasPrefix("'"), isPlain, !contains("'") { return "'\(self)'" }
        return "\"\(unicodeScalars.map(\.escaped).joined())\""
    }
}

extension Unicode.Scalar {
    /// The scalar as part of a double-quoted TOML string.
    fileprivate var escaped: String {
        switch self {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\t": "\\t"
        case "\n": "\\n"
        case "\r": "\\r"
        default:
            if isControl {
                "\\u" + String(repeating: "0", count: 4 - String(value, radix: 16).count) + String(value, radix: 16)
            } else {
                String(Character(self))
            }
        }
    }
}
