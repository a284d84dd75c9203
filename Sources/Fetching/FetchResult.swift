/// How a request ended, after all its tries.
public struct FetchResult: Sendable, Hashable {
    /// How the last try ended.
    public let outcome: FetchOutcome
    /// How often the request was sent.
    public let tries: Int

    /// The end of a request.
    public init(outcome: FetchOutcome, tries: Int) {
        self.outcome = outcome
        self.tries = tries
    }

    /// The end in words, as part of a sentence: `HTTP 503, tried 4 times`.
    public var summary: String {
        tries > 1 ? "\(outcome.summary), tried \(tries) times" : outcome.summary
    }
}
