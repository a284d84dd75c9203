import Monitoring

/// The head of a response, line by line. It keeps the few fields that decide what is read and requested next.
struct HTTPResponseHead: Sendable {
    /// How the end of the body is found.
    enum Framing: Sendable, Hashable {
        case counted(Int)
        case chunked
        case untilClose
    }

    private enum Field: String, Sendable {
        case contentLength = "content-length"
        case transferEncoding = "transfer-encoding"
        case location

        init?(_ name: some Collection<UInt8>) {
            // Most fields are none of these, and their names need not be read.
            guard [8, 14, 17].contains(name.count) else { return nil }
            self.init(rawValue: String(decoding: name, as: UTF8.self).lowercased())
        }
    }

    private static let version = Array("HTTP/".utf8)

    /// The status code.
    let status: Int
    /// Where a redirect leads.
    private(set) var location: String?
    private var lengths: [String] = []
    private var codings: [String] = []
    /// The field that was read last, which the next line may continue.
    private var field: Field?
    private var value: [UInt8] = []
    private var hasFields = false

    /// Whether a response may begin so. Empty lines may precede it.
    static func mayBegin(_ line: [UInt8]) -> Bool {
        line.isEmpty || line == [UInt8(ascii: "\r")] || line.starts(with: version.prefix(line.count))
    }

    /// Reads `HTTP/1.1 200 OK`, with a version from 1 to 3; nil for anything else.
    init?(statusLine: [UInt8]) {
        let words = statusLine.split(maxSplits: 2) { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard words.count >= 2, words[0].starts(with: Self.version) else { return nil }
        let version = words[0].dropFirst(Self.version.count).split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false
        )
        guard 1...2 ~= version.count, version.allSatisfy({ $0.count == 1 && $0.allSatisfy(\.isDigit) }),
            let major = version[0].first, UInt8(ascii: "1")...UInt8(ascii: "3") ~= major,
            words[1].count == 3, words[1].allSatisfy(\.isDigit),
            let status = Int(String(decoding: words[1], as: UTF8.self)), status >= 100
        else { return nil }
        self.status = status
    }

    /// Reads a field, or a line that continues one (RFC 9112 §5.2).
    mutating func receive(line: [UInt8]) throws(Failure) {
        guard !line.contains(0) else { throw .malformed("NUL in the headers") }
        if line[0].isBlank {
            guard hasFields else { throw .malformed("first header") }
            if field != nil { value += [UInt8(ascii: " ")] + line.withoutBlanks }
            return
        }
        endField()
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed("header without a colon") }
        let name = line[..<colon].withoutBlanks
        guard !name.isEmpty else { throw .malformed("header without a name") }
        hasFields = true
        field = Field(name)
        if field != nil { value = Array(line[(colon + 1)...].withoutBlanks) }
    }

    /// Takes in the field that was read last: no line continues it.
    mutating func endField() {
        guard let field else { return }
        let text = String(decoding: value[...].withoutBlanks, as: UTF8.self)
        switch field {
        case .contentLength: lengths += text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        case .transferEncoding: codings += text.split(separator: ",").map { $0.trimmed.lowercased() }
        case .location: location = location ?? text
        }
        self.field = nil
    }

    /// How the end of the body is found (RFC 9112 §6.3).
    ///
    /// - Throws: The failure of a head that does not say so clearly.
    func framing() throws(Failure) -> Framing {
        guard lengths.isEmpty || codings.isEmpty else {
            throw .malformed("both Content-Length and Transfer-Encoding")
        }
        if !codings.isEmpty { return codings.last == "chunked" ? .chunked : .untilClose }
        guard let first = lengths.first else { return .untilClose }
        guard !first.isEmpty, first.utf8.allSatisfy(\.isDigit) else { throw .malformed("Content-Length") }
        guard lengths.allSatisfy({ $0 == first }) else { throw .malformed("two values of Content-Length") }
        // A length beyond all numbers is none.
        return Int(first).map(Framing.counted) ?? .untilClose
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Collection<UInt8> where Self: BidirectionalCollection, SubSequence == ArraySlice<UInt8> {
    /// The bytes without blanks at their ends.
    fileprivate var withoutBlanks: ArraySlice<UInt8> {
        var rest = self[...]
        while rest.first?.isBlank == true { rest.removeFirst() }
        while rest.last?.isBlank == true { rest.removeLast() }
        return rest
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(decoding: Array(utf8)[...].withoutBlanks, as: UTF8.self)
    }
}
