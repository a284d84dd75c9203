extension String {
    /// The text up to the first question mark.
    public var withoutQuery: String {
        String(prefix { $0 != "?" })
    }

    /// The URL without user and password. In the URL of a database, an `@` anywhere ends them: a password with a slash makes
    /// the URL invalid, and is removed as well.
    package var withoutUserInfo: String {
        guard let range = userInfo else { return self }
        return String(self[..<range.lowerBound] + self[utf8.index(after: range.upperBound)...])
    }

    /// Whether the URL contains a password.
    package var hasPassword: Bool {
        userInfo.map { self[$0].contains(":") } ?? false
    }

    /// The range of user and password in the URL, before the `@`; nil without them.
    private var userInfo: Range<Index>? {
        guard let scheme = firstRange(of: "://") else { return nil }
        let rest = self[scheme.upperBound...]
        let isDatabase = Method(scheme: self[..<scheme.lowerBound].lowercased())?.isDatabase ?? false
        let place = isDatabase ? rest : rest.prefix { !"/?#".contains($0) }
        return place.utf8.lastIndex(of: UInt8(ascii: "@")).map { scheme.upperBound..<$0 }
    }

    /// An invalid URL as messages show it: without its query, and without all text before an `@`, since a user or a
    /// password may be anywhere there.
    package var withoutSecretsOfInvalidURL: String {
        guard let at = utf8.lastIndex(of: UInt8(ascii: "@")) else { return String(prefix { !"?#".contains($0) }) }
        let scheme = firstRange(of: "://").map { self[..<$0.lowerBound].lowercased() } ?? ""
        let host = self[utf8.index(after: at)...].prefix { !"?#".contains($0) }
        return (Method(scheme: scheme) == nil ? "" : "\(scheme)://") + host
    }

    /// The text with each URL in it reduced: without user info, query and fragment. The query of a `dns` URL, its
    /// record type, is kept.
    public var withoutURLSecrets: String {
        // Most URLs have none of these, and are many.
        guard utf8.contains(where: \.canBeginURLSecret), var separator = firstRange(of: "://") else { return self }
        var result = ""
        var rest = self[...]
        while true {
            let isQuery = rest[..<separator.lowerBound].lowercased().hasSuffix("dns")
            result += rest[..<separator.upperBound]
            rest = rest[separator.upperBound...]
            let end = rest.firstIndex(where: \.endsURL) ?? rest.endIndex
            let url = rest[..<end]
            let authorityEnd = url.firstIndex { "/?#".contains($0) } ?? end
            let start = url[..<authorityEnd].lastIndex(of: "@").map(url.index(after:)) ?? url.startIndex
            // A query that was already replaced by "…" stays visible.
            let isWhole = isQuery || url.hasSuffix("?…")
            result += isWhole ? url[start...] : url[start...].prefix { $0 != "?" && $0 != "#" }
            rest = rest[end...]
            guard let next = rest.firstRange(of: "://") else { return result + rest }
            separator = next
        }
    }
}

extension UInt8 {
    /// Whether user info may end, or a query or a fragment begin, with this byte of UTF-8.
    fileprivate var canBeginURLSecret: Bool {
        self == UInt8(ascii: "@") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }
}

extension Character {
    /// Whether a URL in a text ends before this character.
    fileprivate var endsURL: Bool {
        isWhitespace || "\"<>".contains(self)
    }
}
