/// Finds in a TOML text what the parser must not see: it calls itself for each key of a dotted name, and would exhaust
/// the stack, and it stops the program at a header without a name, or where an array has a brace in place of a value
/// (`assert` of toml++).
///
/// This follows strings, comments, brackets and headers only. All other mistakes are the parser's to find.
struct ParserGuard {
    /// What the parser must not see.
    enum Danger: Hashable {
        /// More keys in one name, or brackets within brackets, than any settings need.
        case tooDeep(line: Int)
        /// A mistake that the parser does not survive. It may find an earlier one in the text up to the offset, which
        /// counts bytes.
        case mistake(String, Location, offset: Int)
    }

    /// The most keys in a name and brackets within brackets. The limit is above ``Value/depth``, which has a message of
    /// its own, and below what any stack holds.
    static let limit = 128

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    /// The brackets and braces that are open.
    private var brackets: [UInt8] = []
    /// Where the line begins that the present value or header began in.
    private var statementStart = 0
    /// How many dots the present name has.
    private var dots = 0
    /// Whether only blanks stand before this in the line.
    private var isFirst = true

    private init(_ text: String) {
        bytes = Array(text.utf8)
        // A byte order mark is not part of the first line.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The first danger in a text; nil where the parser may have it.
    static func danger(in text: String) -> Danger? {
        var guardian = ParserGuard(text)
        return guardian.run()
    }

    private mutating func run() -> Danger? {
        while index < bytes.count {
            let byte = bytes[index]
            let wasFirst = isFirst
            if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { isFirst = false }
            index += 1
            switch byte {
            case UInt8(ascii: "\n"):
                beginLine()
            case UInt8(ascii: "#"):
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                skipString(byte)
            case UInt8(ascii: "["):
                if wasFirst, brackets.isEmpty, let danger = dangerInHeader { return danger }
                open(byte)
            case UInt8(ascii: "{"):
                open(byte)
            case UInt8(ascii: "}"), 0x0B, 0x0C, 0xC2, 0xE2:
                if let danger = dangerInArray(at: byte) { return danger }
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

    /// What is wrong with a byte that has been taken, where it stands in an array: a closing brace, or what ends lines
    /// elsewhere (vertical tab, form feed, U+0085, U+2028, U+2029).
    private func dangerInArray(at byte: UInt8) -> Danger? {
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
        (lineStart, dots, isFirst) = (index, 0, true)
    }

    /// What is wrong with the header whose first bracket has been taken.
    private var dangerInHeader: Danger? {
        var next = index
        if next < bytes.count, bytes[next] == UInt8(ascii: "[") { next += 1 }
        while next < bytes.count, [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(bytes[next]) { next += 1 }
        guard next < bytes.count, !bytes[next].mayFollowBracket else { return nil }
        let location = Location(line: line, column: next - lineStart + 1)
        return .mistake("table header: expected a name, as in [name] or [[name]]", location, offset: statementStart)
    }

    /// Skips a string whose opening quote has been taken.
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
                // A string that is not closed in its line is the parser's to report.
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
    /// Whether the parser goes on after a header's brackets and this: a name, or what it reports itself.
    fileprivate var mayFollowBracket: Bool {
        isASCIILetterOrDigit || "-_\"']".utf8.contains(self)
    }
}
