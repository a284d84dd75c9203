import NIOCore
import ReachMonitoring

extension HTTPResponse {
    /// The number of bytes of ``beginning``.
    static let longestBeginning = 2_048
    /// The most lines and characters of an excerpt, and the most characters of one of its lines.
    private static let (maxLines, maxLength, maxLineLength) = (24, 1_000, 160)

    /// The beginning of the response for people: its head, and that of a body that is text. Values of fields that may be secret
    /// and queries of URLs are left out; nil if nothing is left.
    var excerpt: String? {
        guard let beginning else { return nil }
        var rest = beginning.readableBytesView
        var head: [String] = []
        repeat {
            // Interim responses precede the final one.
            head = []
            while let line = rest.removeLine(), !line.isEmpty {
                // A folded field continues the one before, which may be secret.
                if line.first?.isBlank != true { head.append(Self.shown(line)) }
            }
        } while head.first?.hasPrefix("HTTP/") == true && head[0].split(separator: " ").dropFirst().first?.first == "1"
        let body = codings.isEmpty ? text(ofBody: rest, isChunked: head.contains(where: Self.isChunked)) : []
        let lines = (head + (body.isEmpty ? [] : [""]) + body).prefix(Self.maxLines)
        var text = ""
        for line in lines {
            guard text.count + line.count <= Self.maxLength else { break }
            text += text.isEmpty ? line : "\n\(line)"
        }
        return text.isEmpty ? nil : text
    }

    /// The lines of the beginning of a body; none if it is no text.
    private func text(ofBody bytes: ByteBufferView, isChunked: Bool) -> [String] {
        var bytes = bytes
        var body: [UInt8] = []
        if isChunked {
            while let line = bytes.removeLine() {
                let digits = line.prefix { $0 != UInt8(ascii: ";") && !$0.isBlank }
                let size = min(Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0, Self.longestBeginning)
                guard size > 0 else { break }
                body += bytes.prefix(size)
                // The line end follows.
                bytes = bytes.dropFirst(size + 2)
            }
        } else {
            body = Array(bytes)
        }
        guard !Self.isBinary(body) else { return [] }
        return body.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map {
            Self.cut(String(decoding: $0, as: UTF8.self))
        }
        .filter { $0.contains { !$0.isWhitespace } }
    }

    private static func shown(_ line: some Sequence<UInt8>) -> String {
        let text = cut(String(decoding: Array(line), as: UTF8.self))
        guard let colon = text.firstIndex(of: ":"), !text.hasPrefix("HTTP/") else { return text }
        let name = text[..<colon].lowercased()
        if secretParts.contains(where: name.contains) { return "\(text[..<colon]): …" }
        guard let query = text.firstIndex(of: "?"), ["location", "refresh", "link", "content-location"].contains(name)
        else {
            return text
        }
        return "\(text[..<query])?…"
    }

    /// Parts of the names of fields whose values may be secret.
    private static let secretParts = [
        "auth", "cookie", "credential", "csrf", "key", "pass", "secret", "session", "signature", "token",
    ]

    private static func isChunked(_ line: String) -> Bool {
        let line = line.lowercased()
        return line.hasPrefix("transfer-encoding:") && line.hasSuffix("chunked")
    }

    private static func cut(_ line: String) -> String {
        line.count > maxLineLength ? "\(line.prefix(maxLineLength - 1))…" : line
    }
}

extension ByteBufferView {
    /// Removes the first line, and returns it without its end; nil if no line ends.
    fileprivate mutating func removeLine() -> [UInt8]? {
        guard let end = firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { self = self[index(after: end)...] }
        let line = Array(self[..<end])
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
