/// A silence for Alertmanager: no notifications about the alerts with a label, for a while.
public struct Silence: Sendable, Hashable {
    /// The server that gets it.
    package let server: AlertmanagerSettings
    /// Which alerts it concerns.
    package let matcher: LabelMatcher
    /// How long it lasts.
    package let length: Duration
    /// The user's reason.
    package let reason: String
    /// The targets whose failures are acknowledged with it.
    package let targets: [Target.ID]

    /// The length if the user gives none. Each silence ends.
    package static let defaultLength = Duration.seconds(2 * 3_600)
    /// The longest one, a year.
    package static let longest = Duration.seconds(366 * 86_400)

    /// Creates a silence that begins when it is sent.
    package init(
        server: AlertmanagerSettings,
        matcher: LabelMatcher,
        length: Duration,
        reason: String,
        targets: [Target.ID]
    ) {
        (self.server, self.matcher, self.length) = (server, matcher, length)
        (self.reason, self.targets) = (reason, targets)
    }
}

/// The result of sending a silence to Alertmanager.
public struct SilenceReport: Sendable, Hashable {
    /// The answer to a silence.
    package enum Answer: Sendable, Hashable {
        /// Alertmanager created it, with this identifier.
        case created(id: String)
        /// There is no silence, for this reason: the server's own words, or why it gave no answer.
        case failed(String)
        /// There may be one: the answer is missing, or ended early.
        case unknown(String)
    }

    /// The silence.
    package let silence: Silence
    /// The answer to it.
    package let answer: Answer

    /// Creates a report.
    package init(_ silence: Silence, _ answer: Answer) {
        (self.silence, self.answer) = (silence, answer)
    }

    /// The report as one line.
    package var text: String {
        let matcher = silence.matcher.text
        return switch answer {
        case .created(let id): "silenced \(matcher) for \(silence.length.settingsText): \(silence.reason) (\(id))"
        case .failed(let problem): "\(silence.server.name): \(matcher) not silenced: \(problem)"
        case .unknown(let problem):
            "\(silence.server.name): not known whether \(matcher) is silenced: \(problem) – look in Alertmanager"
        }
    }
}
