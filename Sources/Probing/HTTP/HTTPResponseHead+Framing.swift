package import Monitoring

extension HTTPResponseHead {
    /// Returns a head that frames its body in one way only, for a parser that accepts nothing else: `Transfer-Encoding`
    /// without `Content-Length`, or one length. The connection then ends with the response (RFC 9112 §6.1). A head that is
    /// clear, or that is no head at all, is returned as it is.
    ///
    /// - Parameter bytes: the head with its empty line.
    /// - Throws: The failure of a head with ambiguous framing.
    package static func reframed(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        // Each line with its end.
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(rest[...end])
            rest = rest[(end + 1)...]
        }
        guard let first = lines.first, var head = HTTPResponseHead(statusLine: first.withoutEnd) else { return bytes }
        do throws(Failure) {
            for line in lines.dropFirst() where !line.withoutEnd.isEmpty { try head.receive(line: line.withoutEnd) }
        } catch {
            return bytes
        }
        head.endField()
        guard head.hasSeveralFramings else { return bytes }
        let field =
            switch try head.framing() {
            case .chunked: "Transfer-Encoding: chunked\r\n"
            case .length(let length): "Content-Length: \(length)\r\n"
            case .untilClose: ""
            }
        var isDropped = false
        var result = Array(first)
        for line in lines.dropFirst() {
            if line.withoutEnd.isEmpty { break }
            // A line that continues a field shares its fate.
            if ![UInt8(ascii: " "), UInt8(ascii: "\t")].contains(line.first) { isDropped = line.namesFraming }
            if !isDropped { result += line }
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

    /// Whether it is a field that says how the body ends, or whether the connection is kept.
    fileprivate var namesFraming: Bool {
        let name = String(decoding: prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        return HTTPOptions.framingFields.contains(name[...].trimmed.lowercased())
    }
}
