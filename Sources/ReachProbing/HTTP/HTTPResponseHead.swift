import ReachBasics
package import ReachMonitoring

/// The head of a response, parsed line by line. It keeps only the fields that frame the body, name a redirect
/// or are checked.
package struct HTTPResponseHead: Sendable {
    /// How the end of the body is found.
    enum Framing: Sendable, Hashable {
        /// After this number of bytes.
        case length(Int)
        /// With the last chunk.
        case chunked
        /// When the connection closes.
        case untilClose
    }

    /// A header field, with its name in lower case.
    struct Field: Sendable, Hashable {
        let name: String
        let value: String
    }

    private static let version = Array("HTTP/".utf8)
    private static let keptNames: Set<String> = [
        "content-encoding", "content-length", "location", "transfer-encoding",
    ]
    /// The transfer codings that compress (RFC 9112 §7.2).
    private static let compressions: Set<String> = ["compress", "deflate", "gzip", "x-compress", "x-gzip"]

    /// The status code.
    let status: Int
    /// The version without the name of the protocol: `1.1`.
    let version: String
    /// The target of a redirect; nil for an empty one.
    private(set) var location: String?
    /// The fields whose names are checked.
    private(set) var checkedFields: [Field] = []
    /// The names to keep, in lower case.
    private let checkedNames: Set<String>
    private var lengths: [String] = []
    private var contentCodings: [String] = []
    /// The transfer codings, without `identity`, which some servers name (RFC 2616 §3.6).
    private var transferCodings: [String] = []
    /// The name of the last field, which the next line may continue; nil if it is not kept.
    private var name: String?
    private var value: [UInt8] = []
    private var hasFields = false
    /// Whether `Transfer-Encoding` is anything but one `chunked`.
    private var hasUnusualCodings = false

    /// Returns whether a response can begin with these bytes. Empty lines may precede the status line.
    package static func canBegin(_ line: [UInt8]) -> Bool {
        line.isEmpty || line == [UInt8(ascii: "\r")] || line.starts(with: version.prefix(line.count))
    }

    /// Parses `HTTP/1.1 200 OK`, with a version from 1 to 3; nil for anything else.
    ///
    /// - Parameter names: The names of the fields to check, in lower case.
    init?(statusLine: [UInt8], checking names: Set<String> = []) {
        let parts = statusLine.split(maxSplits: 2) { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard parts.count >= 2, parts[0].starts(with: Self.version) else { return nil }
        let version = parts[0].dropFirst(Self.version.count).split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false
        )
        guard 1...2 ~= version.count, version.allSatisfy({ $0.count == 1 && $0.allSatisfy(\.isASCIIDigit) }),
            let major = version[0].first, UInt8(ascii: "1")...UInt8(ascii: "3") ~= major,
            parts[1].count == 3, parts[1].allSatisfy(\.isASCIIDigit),
            let status = Int(String(decoding: parts[1], as: UTF8.self)), status >= 100
        else { return nil }
        self.status = status
        self.version = String(decoding: parts[0].dropFirst(Self.version.count), as: UTF8.self)
        checkedNames = names
    }

    /// Parses a field line, or a line that continues one (RFC 9112 §5.2).
    mutating func receive(line: [UInt8]) throws(Failure) {
        guard !line.contains(0) else { throw .malformed("NUL in the headers") }
        if line[0].isBlank {
            guard hasFields else { throw .malformed("first header") }
            if name != nil { value += [UInt8(ascii: " ")] + line.withoutBlanks }
            return
        }
        endField()
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed("header without a colon") }
        let name = line[..<colon].withoutBlanks
        guard !name.isEmpty else { throw .malformed("header without a name") }
        hasFields = true
        self.name = keptName(name)
        if self.name != nil { value = Array(line[(colon + 1)...].withoutBlanks) }
    }

    /// Stores the last field, which no further line continues.
    mutating func endField() {
        guard let name else { return }
        let text = String(decoding: value[...].withoutBlanks, as: UTF8.self)
        switch name {
        case "content-length":
            lengths += text.split(separator: ",", omittingEmptySubsequences: false).map(\.withoutBlanks)
        case "content-encoding": contentCodings += text.split(separator: ",").map { $0.withoutBlanks.lowercased() }
        case "transfer-encoding":
            hasUnusualCodings = hasUnusualCodings || !transferCodings.isEmpty || text.lowercased() != "chunked"
            // Empty elements are ignored (RFC 9110 §5.6.1).
            let codings = text.split(separator: ",").map { $0.withoutBlanks.lowercased() }
            transferCodings += codings.filter { !$0.isEmpty && $0 != "identity" }
        case "location" where !text.isEmpty: location = location ?? text
        default: break
        }
        if checkedNames.contains(name) { checkedFields.append(Field(name: name, value: text)) }
        self.name = nil
    }

    /// Returns the name in lower case if the field is kept, otherwise nil.
    private func keptName(_ name: some Collection<UInt8>) -> String? {
        // Fields with a name of another length are skipped without decoding the name.
        guard !checkedNames.isEmpty || [8, 14, 16, 17].contains(name.count) else { return nil }
        let text = String(decoding: name, as: UTF8.self).lowercased()
        return Self.keptNames.contains(text) || checkedNames.contains(text) ? text : nil
    }

    /// The codings of the body between its framing and its content, in the order in which they were applied.
    var codings: [String] { contentCodings + codingsBeforeChunks }

    private var codingsBeforeChunks: [String] {
        var codings = transferCodings
        // Some servers name it twice, and apply it once.
        while codings.last == "chunked" { codings.removeLast() }
        return codings
    }

    /// Whether its fields frame the body more than once, or in an unusual way.
    var hasUnclearFraming: Bool {
        lengths.count > 1 || !lengths.isEmpty && !transferCodings.isEmpty || hasUnusualCodings
    }

    /// Returns whether a response to this method with this status has a body (RFC 9112 §6.3).
    func hasBody(answering method: String) -> Bool {
        method != "HEAD" && status != 204 && status != 304
    }

    /// Returns how the end of the body is found (RFC 9112 §6.3). Transfer codings override the length. Their connection
    /// must not be used again.
    ///
    /// - Parameters:
    ///   - hasBody: whether the response has a body. Without one, the names of its transfer codings are ignored.
    ///   - isCompressible: whether the body may have a transfer coding that compresses.
    /// - Throws: The failure of a head with ambiguous framing, or with an unsupported transfer coding.
    func framing(hasBody: Bool = true, isCompressible: Bool = true) throws(Failure) -> Framing {
        if let last = transferCodings.last {
            let supported = isCompressible ? Self.compressions : []
            guard !hasBody || supported.isSuperset(of: codingsBeforeChunks) else {
                throw .unsupported(transferCodings)
            }
            return last == "chunked" ? .chunked : .untilClose
        }
        guard let first = lengths.first else { return .untilClose }
        guard !first.isEmpty, first.utf8.allSatisfy(\.isASCIIDigit) else { throw .malformed("Content-Length") }
        guard lengths.allSatisfy({ $0 == first }) else { throw .malformed("two values of Content-Length") }
        guard let length = Int(first) else { throw .malformed("Content-Length") }
        return .length(length)
    }
}

extension Failure {
    fileprivate static func unsupported(_ transferCodings: [String]) -> Failure {
        let text = String(quoting: transferCodings.joined(separator: ", ").utf8)
        return Failure(.protocolError, detail: "unsupported Transfer-Encoding \"\(text)\"")
    }
}

extension UInt8 {
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Collection<UInt8> where Self: BidirectionalCollection, SubSequence == ArraySlice<UInt8> {
    /// The bytes without leading and trailing blanks.
    fileprivate var withoutBlanks: ArraySlice<UInt8> {
        var rest = self[...]
        while rest.first?.isBlank == true { rest.removeFirst() }
        while rest.last?.isBlank == true { rest.removeLast() }
        return rest
    }
}

extension Substring {
    /// The text without leading and trailing blanks: spaces and tabs, and no other white space (RFC 9110 §5.6.3).
    var withoutBlanks: String {
        String(decoding: Array(utf8)[...].withoutBlanks, as: UTF8.self)
    }
}

extension HTTPResponseHead {
    /// Returns a head that frames its body in one way only, for a parser that accepts nothing else: the coding
    /// `chunked` without `Content-Length`, or one length. The connection then ends with the response (RFC 9112 §6.1). A
    /// head that is clear, or whose fields are malformed, is returned as it is.
    ///
    /// - Parameters:
    ///   - bytes: the head with its empty line, from the status line.
    ///   - method: the request's method. A response to `HEAD` has no body.
    /// - Throws: The failure of a head with ambiguous framing, of one with a transfer coding other than `chunked`,
    ///   which the parser does not undo, or of bytes that are not a head.
    package static func reframed(_ bytes: [UInt8], answering method: String) throws(Failure) -> [UInt8] {
        // Each line with its end.
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(rest[...end])
            rest = rest[(end + 1)...]
        }
        guard let first = lines.first, var head = HTTPResponseHead(statusLine: first.withoutEnd) else { throw .notHTTP }
        do throws(Failure) {
            for line in lines.dropFirst() where !line.withoutEnd.isEmpty { try head.receive(line: line.withoutEnd) }
        } catch {
            return bytes
        }
        head.endField()
        var isFraming = false
        var isPlain = true
        var result = Array(first)
        for line in lines.dropFirst() {
            if line.withoutEnd.isEmpty { break }
            // A line that continues a field belongs to it.
            if !line.continuesField { isFraming = line.namesFraming }
            if isFraming { isPlain = isPlain && line.isPlain } else { result += line }
        }
        guard head.hasUnclearFraming || !isPlain else { return bytes }
        let hasBody = head.status >= 200 && head.hasBody(answering: method)
        let field =
            switch try head.framing(hasBody: hasBody, isCompressible: false) {
            case .chunked: "Transfer-Encoding: chunked\r\n"
            case .length(let length): "Content-Length: \(length)\r\n"
            case .untilClose: ""
            }
        return result + Array("\(field)Connection: close\r\n\r\n".utf8)
    }
}

extension ArraySlice<UInt8> {
    /// The line without its end.
    fileprivate var withoutEnd: [UInt8] {
        let line = dropLast()
        return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }

    /// Whether it continues the field of the line before it.
    fileprivate var continuesField: Bool { first?.isBlank == true }

    /// Whether every parser reads it alike: it is the only line of its field, and the only blank of a `Transfer-Encoding`
    /// is before `chunked`.
    fileprivate var isPlain: Bool {
        guard !continuesField, allSatisfy({ $0 < 0x80 }) else { return false }
        let text = String(decoding: withoutEnd, as: UTF8.self).lowercased()
        return !text.hasPrefix("transfer-encoding")
            || ["transfer-encoding:chunked", "transfer-encoding: chunked"].contains(text)
    }

    /// Whether its field frames the body, or decides whether the connection is kept.
    fileprivate var namesFraming: Bool {
        let name = String(decoding: prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        return HTTPOptions.framingFields.contains(name[...].withoutBlanks.lowercased())
    }
}
