import Foundation

extension String {
    /// The host in the syntax of URLs: an IPv6 address is in brackets (RFC 3986 §3.2.2).
    package var bracketed: String {
        contains(":") && first != "[" ? "[\(self)]" : self
    }
}

extension StringProtocol {
    /// The domain name in ASCII: each label with other characters becomes its A-label, in Punycode (RFC 5890 to 5893,
    /// mapped by UTS #46, non-transitional, as in browsers and curl). `Bücher.example` is `xn--bcher-kva.example`.
    ///
    /// - Returns: nil for an invalid name: with letters of both directions, a joiner in the wrong place, hyphens at the ends
    ///   of a label, or a label that is too long.
    package var asciiDomainName: String? {
        // These would begin another part of the URL.
        guard !utf8.contains(where: { $0 <= 0x20 || "/?#@:[]%\\".utf8.contains($0) }),
            let name = URLComponents(string: "http://\(self)/")?.encodedHost, !name.isEmpty,
            name.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") })
        else { return nil }
        return name
    }
}
