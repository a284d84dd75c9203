extension Int64 {
    /// A number of bytes with up to three significant figures: `0 B`, `999 B`, `1.2 kB`, `45 MB`, `1.1 GB`.
    package var bytesText: String {
        guard self >= 1_000 else { return "\(Swift.max(0, self)) B" }
        var rest = Double(self)
        for unit in ["kB", "MB", "GB", "TB", "PB"] {
            rest /= 1_000
            if rest < 9.95 {
                let tenths = Int((rest * 10).rounded())
                return "\(tenths / 10).\(tenths % 10) \(unit)"
            }
            if rest < 999.5 { return "\(Int(rest.rounded())) \(unit)" }
        }
        return "\(Int(rest.rounded())) PB"
    }

    /// A number of bytes and the whole, with the unit once if both have it: `2.0 of 5.0 MB`, `900 kB of 5.0 MB`, `2.0 MB`.
    ///
    /// - Parameter whole: the length of the whole; nil if it is unknown.
    package func bytesText(of whole: Int64?) -> String {
        guard let whole else { return bytesText }
        let (part, all) = (bytesText.split(separator: " "), whole.bytesText.split(separator: " "))
        return "\(part.last == all.last ? String(part[0]) : bytesText) of \(whole.bytesText)"
    }
}

/// How much of a body was received.
package struct BodyProgress: Sendable, Hashable, Codable {
    /// The bytes so far.
    package let count: Int64
    /// The length of the whole; nil if it is unknown.
    package let length: Int64?

    package init(count: Int64, of length: Int64?) {
        (self.count, self.length) = (count, length)
    }

    /// The problem of a connection that ended before the body: `connection lost after 2.0 of 5.0 MB`.
    package var lossText: String {
        count == 0 && length == nil
            ? "connection lost in the body" : "connection lost after \(count.bytesText(of: length))"
    }
}
