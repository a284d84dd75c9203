extension DNSQuestion {
    /// The most bytes of a label (RFC 1035 §2.3.4).
    public static let longestLabel = 63
    /// The most bytes of a name as a message carries it: each label behind its length, and the root's length at the end.
    public static let longestName = 255

    /// Makes sure that a text is a name that can be asked for, as zone files write it: `\\.` is a dot in a label and
    /// `\\032` a blank (RFC 1035 §5.1).
    static func checkName(_ text: some StringProtocol) throws(URLProblem) {
        guard text != "." else { return }
        var lengths = [0]
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: ".") {
                lengths.append(0)
                continue
            }
            if byte == UInt8(ascii: "\\") { try skipEscape(&rest) }
            lengths[lengths.count - 1] += 1
        }
        // The dot at the end is the root's.
        if lengths.count > 1, lengths.last == 0 { lengths.removeLast() }
        guard !lengths.contains(0) else {
            throw URLProblem("empty label in \"\(text)\"", hint: "such as example.com")
        }
        if let longest = lengths.max(), longest > longestLabel {
            throw URLProblem(
                "a label of \(longest) bytes",
                hint: "at most \(longestLabel) between two dots"
            )
        }
        let length = lengths.reduce(1) { $0 + 1 + $1 }
        guard length <= longestName else {
            throw URLProblem("the name has \(length - 2) bytes", hint: "at most \(longestName - 2)")
        }
    }

    /// Skips what a backslash stands for: a byte of three digits, or the next one itself.
    private static func skipEscape(_ rest: inout ArraySlice<UInt8>) throws(URLProblem) {
        let digits = String(decoding: rest.prefix(3), as: UTF8.self)
        guard digits.utf8.count == 3, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            guard rest.popFirst() != nil else { throw URLProblem("a \"\\\" at the end of the name stands for nothing") }
            return
        }
        guard UInt8(digits) != nil else { throw URLProblem("invalid byte \"\\\(digits)\"", hint: "\\000 to \\255") }
        rest = rest.dropFirst(3)
    }
}
