import ReachBasics
import ReachMonitoring
import Synchronization

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
            .map { $0.isLineOrTab ? " " : $0 }
            .filter { $0.isShown }
        let text = String(String.UnicodeScalarView(shown.prefix(41)))
        return text.unicodeScalars.count > 40 ? text.prefix(40) + "…" : text
    }
}

/// A search for a pattern from the settings in received text.
struct PatternSearch: Sendable, Hashable {
    /// The result of a search.
    enum Match: Sendable, Hashable {
        /// The pattern does not match.
        case none
        /// It matches only if the text ends here, for example by `$`.
        case atEnd
        /// It matches regardless of what follows the text.
        case found
    }

    /// The regular expression.
    let pattern: String
    /// The received text in UTF-8.
    let text: [UInt8]
    /// The delay before the search starts.
    var pause = Duration.zero
    /// Whether the text is complete.
    var isComplete = false

    /// Returns whether the pattern matches somewhere in the text, or a fault if it is not a valid regular expression.
    ///
    /// This may never return, so it must not be called on an event loop.
    ///
    /// - Parameter compiled: the compiled pattern.
    func run(by compiled: CompiledPattern) -> Result<Match, Fault> {
        let text = String(decoding: text, as: UTF8.self)
        guard let matches = compiled.matches(in: text) else {
            let cause = compiled.problem.map { ": \($0)" } ?? ""
            let detail = "invalid regular expression \"\(String(quoting: pattern.utf8))\"\(cause)"
            return .failure(Fault(.internal, detail: detail))
        }
        guard matches else { return .success(.none) }
        guard !isComplete, Self.mayDependOnEnd(pattern) else { return .success(.found) }
        return .success(compiled.matches(in: text, with: Self.continuations) == true ? .found : .atEnd)
    }

    /// Sample continuations of a text: of a word or number, its end, another line, and NUL.
    private static let continuations = ["a", "z", "0", "_", "!", " ", "\nx", "\0"]

    /// Returns whether the pattern has an anchor or a lookahead, whose match may depend on the end of the text.
    private static func mayDependOnEnd(_ pattern: String) -> Bool {
        var rest = Substring(pattern).utf8
        var classDepth = 0
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                // \b, \B, \z and \Z; \y, \Y, \Q and \E are too rare to be handled separately.
                if let escaped = rest.popFirst(), "bBzZyYQE".utf8.contains(escaped) { return true }
            case UInt8(ascii: "["): classDepth += 1
            case UInt8(ascii: "]"): classDepth = max(0, classDepth - 1)
            case UInt8(ascii: "$") where classDepth == 0: return true
            case UInt8(ascii: "(") where rest.starts(with: "?=".utf8) || rest.starts(with: "?!".utf8): return true
            default: break
            }
        }
        return false
    }
}

/// A compiled regular expression, for one search at a time.
final class CompiledPattern: Sendable {
    /// Nil if the pattern is not a valid regular expression. A regular expression cannot be shared by threads.
    private let regex: Mutex<Regex<AnyRegexOutput>?>
    /// Why the pattern is not a valid regular expression; nil if it is.
    let problem: String?

    init(_ pattern: String) {
        do {
            // As characters, "\r\n" is one, and neither "\r" nor "\n" would match in it. Characters are also far slower.
            regex = Mutex(try Regex(pattern).matchingSemantics(.unicodeScalar))
            problem = nil
        } catch {
            regex = Mutex(nil)
            problem = "\(error)"
        }
    }

    /// Returns whether the pattern matches somewhere in a text with each of these endings; nil if it is not a valid regular
    /// expression.
    func matches(in text: String, with endings: [String] = [""]) -> Bool? {
        regex.withLock { regex in
            guard let regex else { return nil }
            for ending in endings {
                let match = try? regex.firstMatch(in: text + ending)
                if match == nil { return false }
            }
            return true
        }
    }

    /// Returns the whole first match in a text and then its groups; empty without a match.
    func groups(in text: String) -> [(name: String?, text: String?)] {
        regex.withLock { regex in
            guard let match = try? regex?.firstMatch(in: text) else { return [] }
            return match.output.map { (name: $0.name, text: $0.substring.map { String($0) }) }
        }
    }
}

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
