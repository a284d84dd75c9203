import Monitoring
import ReachBasics

/// The beginning of a peer's answer, and the pattern that it must match. The caller runs the searches, which take time.
///
/// The answer ends when the peer closes the connection, after 4 KiB, or at the probe's timeout. A match that depends on
/// the end, for example by `$`, counts only then. Any other match counts at once.
struct Expectation {
    /// The maximum number of bytes to search.
    static let limit = 4_096
    /// The number of searches without a pause. Later ones are throttled: for a peer that sends one byte at a time, the
    /// work would grow with the square of the length.
    static let immediateSearches = 16
    /// The pause before each of the later searches.
    static let pause = Duration.milliseconds(100)

    let pattern: String
    private var received: [UInt8] = []
    private var searchCount = 0
    /// The number of bytes in the last search; nil before the first one.
    private var searchedLength: Int?
    /// The result of the last search.
    private var match = PatternSearch.Match.none
    /// Whether a search is under way.
    private(set) var isSearching = false

    init(_ pattern: String) {
        self.pattern = pattern
    }

    /// Appends received bytes, up to the limit.
    mutating func receive(_ bytes: some Collection<UInt8>) {
        received += bytes.prefix(Self.limit - received.count)
    }

    /// Returns the search to run now; nil while one is running, and if nothing was received since the last one.
    mutating func nextSearch() -> PatternSearch? {
        guard !isSearching, searchedLength != received.count else { return nil }
        isSearching = true
        searchCount += 1
        searchedLength = received.count
        let pause = searchCount > Self.immediateSearches ? Self.pause : .zero
        return PatternSearch(pattern: pattern, text: received, pause: pause)
    }

    /// Records the result of the search. Returns whether the answer matches; nil while that is not decided.
    mutating func finishSearch(_ match: PatternSearch.Match) -> Bool? {
        isSearching = false
        self.match = match
        if match == .found { return true }
        return searchedLength == Self.limit ? match == .atEnd : nil
    }

    /// Whether the answer matches if it ends here.
    var matchesAtEnd: Bool {
        !isSearching && searchedLength == received.count && match != .none
    }

    /// Whether any byte has been received.
    var hasReceived: Bool { !received.isEmpty }

    /// The failure if the peer sends nothing more but keeps the connection open, as servers do after a greeting. Nil if
    /// it has sent nothing, or while a search is running.
    var failureAtTimeout: Failure? {
        hasReceived && !isSearching ? failure : nil
    }

    /// The failure if the answer ends here.
    var failure: Failure {
        guard hasReceived else { return Failure(.closed, detail: "closed without an answer") }
        return Failure(.answerMismatch, detail: "unexpected answer \"\(quotation)\"")
    }

    /// The beginning of the answer on one line, without control characters.
    private var quotation: String {
        let shown = String(decoding: received, as: UTF8.self).unicodeScalars.lazy
            .map { $0 == "\r" || $0 == "\n" || $0 == "\t" ? " " : $0 }
            .filter { $0.isShown }
        let text = String(String.UnicodeScalarView(shown.prefix(41)))
        return text.unicodeScalars.count > 40 ? text.prefix(40) + "…" : text
    }
}
