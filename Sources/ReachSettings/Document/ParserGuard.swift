import ReachBasics

/// Rejects TOML text that would crash the parser.
///
/// toml++ recurses for each key of a dotted name, which can exhaust the stack. It also fails an `assert` at a header
/// without a name, and at a brace in place of a value in an array. The guard follows only strings, comments, brackets
/// and headers; all other mistakes are left to the parser.
struct ParserGuard {
    /// Why the text must not reach the parser.
    enum Rejection: Hashable {
        /// A dotted name or nested brackets exceed ``limit``.
        case tooDeep(line: Int)
        /// A mistake that crashes the parser. The text before `offset`, in bytes, is safe to parse and may contain an
        /// earlier mistake.
        case mistake(String, Location, offset: Int)
    }

    /// The largest number of dots in a name and of nested brackets. It is above ``TOMLValue/depth``, which has its own
    /// message, and low enough for any stack.
    static let limit = 128

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    /// The open brackets and braces.
    private var brackets: [UInt8] = []
    /// The start of the line in which the current value or header began.
    private var statementStart = 0
    /// The number of dots in the current name.
    private var dots = 0
    /// Whether the line has had only blanks so far.
    private var isAtLineStart = true

    private init(_ text: String) {
        bytes = Array(text.utf8)
        // A byte order mark is not part of the first line.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// Returns the first reason to reject a text; nil if it is safe to parse.
    static func rejection(of text: String) -> Rejection? {
        var parserGuard = ParserGuard(text)
        return parserGuard.run()
    }

    private mutating func run() -> Rejection? {
        while index < bytes.count {
            let byte = bytes[index]
            let wasAtLineStart = isAtLineStart
            if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { isAtLineStart = false }
            index += 1
            switch byte {
            case UInt8(ascii: "\n"):
                beginLine()
            case UInt8(ascii: "#"):
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                skipString(byte)
            case UInt8(ascii: "["):
                if wasAtLineStart, brackets.isEmpty, let rejection = rejectionOfHeader { return rejection }
                open(byte)
            case UInt8(ascii: "{"):
                open(byte)
            case UInt8(ascii: "}"), 0x0B, 0x0C, 0xC2, 0xE2:
                if let rejection = rejectionInArray(at: byte) { return rejection }
                if byte == UInt8(ascii: "}") { close() }
            case UInt8(ascii: "]"):
                close()
            case UInt8(ascii: "."):
                dots += 1
            case UInt8(ascii: "="), UInt8(ascii: ","):
                dots = 0
            default:
                break
            }
            if brackets.count > Self.limit || dots > Self.limit { return .tooDeep(line: line) }
        }
        return nil
    }

    private mutating func open(_ bracket: UInt8) {
        brackets.append(bracket)
        dots = 0
    }

    private mutating func close() {
        _ = brackets.popLast()
        dots = 0
    }

    /// Checks the byte just read if it is in an array. Rejected there are a closing brace, vertical tab, form feed,
    /// U+0085, U+2028 and U+2029.
    private func rejectionInArray(at byte: UInt8) -> Rejection? {
        guard brackets.last == UInt8(ascii: "[") else { return nil }
        let rest = bytes[index...]
        switch byte {
        case 0xC2 where rest.first != 0x85: return nil
        case 0xE2 where !rest.starts(with: [0x80, 0xA8]) && !rest.starts(with: [0x80, 0xA9]): return nil
        default: break
        }
        let location = Location(line: line, column: index - lineStart)
        return .mistake("array: expected a value or closing ']'", location, offset: statementStart)
    }

    private mutating func beginLine() {
        line += 1
        if brackets.isEmpty { statementStart = index }
        (lineStart, dots, isAtLineStart) = (index, 0, true)
    }

    /// Checks the header whose first bracket was just read.
    private var rejectionOfHeader: Rejection? {
        var next = index
        if next < bytes.count, bytes[next] == UInt8(ascii: "[") { next += 1 }
        while next < bytes.count, [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(bytes[next]) { next += 1 }
        guard next < bytes.count, !bytes[next].mayFollowBracket else { return nil }
        let location = Location(line: line, column: next - lineStart + 1)
        return .mistake("table header: expected a name, as in [name] or [[name]]", location, offset: statementStart)
    }

    /// Skips a string whose opening quote was just read.
    private mutating func skipString(_ quote: UInt8) {
        let isLong = bytes[index...].starts(with: [quote, quote])
        if isLong { index += 2 }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\\") where quote == UInt8(ascii: "\"") && index < bytes.count:
                if bytes[index] != UInt8(ascii: "\n") { index += 1 }
            case UInt8(ascii: "\n"):
                beginLine()
                // The parser reports a string that is not closed on its line.
                if !isLong { return }
            case quote:
                guard isLong else { return }
                guard bytes[index...].starts(with: [quote, quote]) else { continue }
                while index < bytes.count, bytes[index] == quote { index += 1 }
                return
            default:
                break
            }
        }
    }
}

extension UInt8 {
    /// Whether the parser survives this byte after the brackets of a header: it begins a name, or the parser reports
    /// it.
    fileprivate var mayFollowBracket: Bool {
        isASCIILetterOrDigit || "-_\"']".utf8.contains(self)
    }
}
