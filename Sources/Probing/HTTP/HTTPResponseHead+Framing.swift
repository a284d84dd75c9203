package import Monitoring

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
    fileprivate var continuesField: Bool { first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") }

    /// Whether every parser reads it alike: it is the only line of its field, and a `Transfer-Encoding` has no blanks
    /// but one before `chunked`.
    fileprivate var isPlain: Bool {
        guard !continuesField, allSatisfy({ $0 < 0x80 }) else { return false }
        let text = String(decoding: withoutEnd, as: UTF8.self).lowercased()
        return !text.hasPrefix("transfer-encoding")
            || ["transfer-encoding:chunked", "transfer-encoding: chunked"].contains(text)
    }

    /// Whether it is a field that says how the body ends, or whether the connection is kept.
    fileprivate var namesFraming: Bool {
        let name = String(decoding: prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        return HTTPOptions.framingFields.contains(name[...].withoutBlanks.lowercased())
    }
}
