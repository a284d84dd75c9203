import Monitoring

/// Where a redirect leads, for messages: without user info, query and fragment.
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

    /// Why a redirect is not followed that leads there.
    var words: String {
        let place = "redirects to \"\(String(quoting: text.utf8))\""
        return hasUserInfo ? place + ": user info is not followed" : place
    }
}

extension HTTPQuestion {
    /// What is said of a redirect by this status that is one more than are followed; nil where none is followed at all.
    func wordsOnLimit(at status: Int) -> String? {
        guard isFollowed(status) else { return nil }
        let times = options.follow == 1 ? "time" : "times"
        return "redirects more than \(options.follow) \(times) (follow = \(options.follow))"
    }
}
