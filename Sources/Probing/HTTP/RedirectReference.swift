import Monitoring

/// The target of a redirect as messages show it: without user info, query and fragment.
struct RedirectReference {
    private let text: String
    private let hasUserInfo: Bool

    init(_ location: String) {
        let bare = location.prefix { $0 != "?" && $0 != "#" }
        guard let slashes = bare.firstRange(of: "//"),
            slashes.lowerBound == bare.startIndex || bare[..<slashes.lowerBound].last == ":",
            let at = bare[slashes.upperBound...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
        else {
            (text, hasUserInfo) = (String(bare), false)
            return
        }
        text = String(bare[..<slashes.upperBound] + bare[bare.index(after: at)...])
        hasUserInfo = true
    }

    /// The detail of the failure when this redirect cannot be followed.
    var message: String {
        let place = "redirects to \"\(String(quoting: text.utf8))\""
        return hasUserInfo ? place + ": user info is not followed" : place
    }
}

extension HTTPQuestion {
    /// Returns the message for a redirect beyond the limit; nil if this status is not followed at all.
    func limitMessage(at status: Int) -> String? {
        guard isFollowed(status) else { return nil }
        let times = options.follow == 1 ? "time" : "times"
        return "redirects more than \(options.follow) \(times) (follow = \(options.follow))"
    }
}
