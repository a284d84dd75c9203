import Monitoring

extension String {
    /// The beginning of a peer's bytes, on one line and without terminal control characters.
    init(quoting bytes: some Sequence<UInt8>, limit: Int = 40) {
        // A scalar has at most four bytes; bytes beyond the limit are not decoded.
        let shown = String(decoding: Array(bytes.prefix(limit * 4 + 4)), as: UTF8.self).unicodeScalars.lazy
            .map { $0.isLineOrTab ? " " : $0 }
            .filter { $0.isShown }
        let scalars = Array(shown.prefix(limit + 1))
        self = scalars.prefix(limit).reduce(into: "") { $0.unicodeScalars.append($1) }
        while last == " " { removeLast() }
        if scalars.count > limit { append("…") }
    }

    /// The beginning of a host name, which a server may have chosen with a redirect.
    init(quotingHost host: String) {
        self.init(quoting: host.utf8, limit: 60)
    }
}
