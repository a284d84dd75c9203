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
