import Monitoring

/// The first bytes that a peer said, held against the pattern they should match. Searching is somebody else's: it takes
/// its time.
///
/// The answer ends where the peer closes the connection, after its first 4 KiB, or at the probe's timeout. A match that
/// depends on the end, by `$` for instance, counts only then; any other counts at once.
struct Expectation {
    /// How many bytes are looked at.
    static let limit = 4_096
    /// How many searches begin at once. Who says one byte at a time is searched with a pause from then on, or the work
    /// would grow with the square of what is said.
    static let promptSearches = 16
    /// The pause before each of the later searches.
    static let pause = Duration.milliseconds(100)

    let pattern: String
    private var heard: [UInt8] = []
    private var searchCount = 0
    /// How many bytes the last search had before it; nil before the first one.
    private var searchedLength: Int?
    /// What the last search came to.
    private var match = Search.Match.none
    /// Whether a search is under way.
    private(set) var isSearching = false

    init(_ pattern: String) {
        self.pattern = pattern
    }

    /// Takes bytes into account.
    mutating func hear(_ bytes: some Collection<UInt8>) {
        heard += bytes.prefix(Self.limit - heard.count)
    }

    /// The search that is to be run now; nil while one is under way, and where nothing was heard since the last one.
    mutating func nextSearch() -> Search? {
        guard !isSearching, searchedLength != heard.count else { return nil }
        isSearching = true
        searchCount += 1
        searchedLength = heard.count
        let pause = searchCount > Self.promptSearches ? Self.pause : .zero
        return Search(pattern: pattern, text: heard, pause: pause)
    }

    /// Takes into account what the search came to: nil while the answer may yet match, otherwise whether it does.
    mutating func conclude(_ match: Search.Match) -> Bool? {
        isSearching = false
        self.match = match
        if match == .found { return true }
        return searchedLength == Self.limit ? match == .atEnd : nil
    }

    /// Whether the answer matches if it ends here.
    var matchesAtEnd: Bool {
        !isSearching && searchedLength == heard.count && match != .none
    }

    /// Whether the peer has said anything.
    var hasHeard: Bool { !heard.isEmpty }

    /// What is wrong if the peer says nothing more, but stays: servers greet and wait. Nil where it has said nothing at
    /// all, or where nobody knows yet whether that was it.
    var failureOfSilence: Failure? {
        hasHeard && !isSearching ? failure : nil
    }

    /// What is wrong if nothing more comes.
    var failure: Failure {
        guard hasHeard else { return Failure(.closed, detail: "closed without an answer") }
        return Failure(.answerMismatch, detail: "unexpected answer \"\(quotation)\"")
    }

    /// The beginning of the answer, on one line and without anything that a terminal would obey.
    private var quotation: String {
        let shown = String(decoding: heard, as: UTF8.self).unicodeScalars.lazy
            .map { $0 == "\r" || $0 == "\n" || $0 == "\t" ? " " : $0 }
            .filter { $0.properties.isPrintable }
        let text = String(String.UnicodeScalarView(shown.prefix(41)))
        return text.unicodeScalars.count > 40 ? text.prefix(40) + "…" : text
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
