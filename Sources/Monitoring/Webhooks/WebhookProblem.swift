/// Why a request cannot be sent as the settings have it, and what to write instead.
public struct WebhookProblem: Sendable, Hashable {
    /// What is wrong, as part of a sentence.
    public let message: String
    /// What to write instead, where there is a good guess.
    public let hint: String?
}
