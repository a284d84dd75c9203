#if Fetch
import Monitoring
import ReachBasics

/// The target of an HTTP probe as a client of `/probe` writes it, in the forms that blackbox_exporter accepts: without a
/// scheme, with a user and a password, with a fragment, and with characters that are to be percent-encoded.
struct HTTPModuleTarget {
    /// The URL to probe, without user, password and fragment.
    let url: String
    /// The value of the field `Authorization` for the user and the password; nil without them.
    let authorization: String?

    init(_ text: String) {
        let start = text.prefix(8).lowercased()
        let scheme = ["https://", "http://"].first(where: start.hasPrefix).map { text.prefix($0.count) }
        let rest = Substring(text.utf8.dropFirst(scheme?.utf8.count ?? 0).prefix { $0 != UInt8(ascii: "#") })
        let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        var authority = rest[..<end]
        var authorization: String?
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, password) = (user.first?.percentDecodedBytes, user.count == 2 ? user[1].percentDecodedBytes : [])
            if let name, let password { authorization = "Basic \((name + [UInt8(ascii: ":")] + password).base64)" }
            // An invalid escape stays in the URL, which is then refused.
            if authorization != nil { authority = authority[authority.index(after: at)...] }
        }
        url = "\(scheme ?? "http://")\(authority)\(rest[end...].escapedForRequest)"
        self.authorization = authorization
    }
}

extension Substring {
    /// The path and the query with the characters percent-encoded that no URL has. Escapes stay, and so do control
    /// characters, which are refused.
    fileprivate var escapedForRequest: String {
        guard unicodeScalars.contains(where: \.isEncoded) else { return String(self) }
        return unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar.isEncoded ? String(scalar).percentEncoded : String(scalar)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isEncoded: Bool {
        switch self {
        case " ", "\"", "<", ">", "\\", "^", "`", "{", "|", "}": true
        default: value >= 0x80
        }
    }
}
#endif
