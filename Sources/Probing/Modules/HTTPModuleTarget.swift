#if Fetch
import Monitoring

/// The target of an HTTP probe as a client of `/probe` writes it, in the forms that blackbox_exporter accepts: without a
/// scheme, with a user and a password, with a fragment, and with characters that are to be percent-encoded.
struct HTTPModuleTarget {
    /// The URL to probe, without user, password and fragment.
    let url: String
    /// The value of the field `Authorization` for the user and the password; nil without them.
    let authorization: String?

    init(_ text: String) {
        let start = text.prefix(8).lowercased()
        let whole = start.hasPrefix("http://") || start.hasPrefix("https://") ? text : "http://\(text)"
        let parts = whole.prefix { $0 != "#" }.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count == 2 ? parts[1] : ""
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        var authority = rest[..<end]
        var authorization: String?
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, password) = (user.first?.percentDecodedBytes, user.count == 2 ? user[1].percentDecodedBytes : [])
            if let name, let password { authorization = "Basic \((name + [UInt8(ascii: ":")] + password).base64)" }
            // An invalid escape stays in the URL, which is then refused.
            if authorization != nil { authority = authority[authority.index(after: at)...] }
        }
        url = "\(parts[0])//\(authority)\(rest[end...].escapedForRequest)"
        self.authorization = authorization
    }
}

extension Substring {
    /// The path and the query with the characters percent-encoded that no URL has. Escapes stay, and so do control
    /// characters, which are refused.
    fileprivate var escapedForRequest: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            let isEncoded = scalar.value >= 0x80 || " \"<>\\^`{|}".unicodeScalars.contains(scalar)
            text += isEncoded ? String(scalar).percentEncoded : String(scalar)
        }
    }
}
#endif
