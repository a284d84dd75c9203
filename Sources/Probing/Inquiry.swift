import Monitoring

/// What the probes of one watching of a target have in common: they share one, and are small to copy.
final class Inquiry: Sendable {
    let target: Target.ID
    /// Distinguishes this watch of the target from earlier ones, whose answers are ignored.
    let watch: Int
    let timeout: Duration
    /// The time from one probe to the next.
    let interval: Duration
    /// The address or the interface that probes leave from; the system's choice when absent.
    let source: String?
    let question: Question
    /// The family that the target is asked in, for whoever looks up another name on the target's behalf.
    let family: Family

    init(
        target: Target.ID,
        watch: Int,
        question: Question,
        family: Family,
        source: String?,
        timeout: Duration,
        interval: Duration
    ) {
        self.target = target
        self.watch = watch
        self.question = question
        self.family = family
        self.source = source
        self.timeout = timeout
        self.interval = interval
    }
}

extension Inquiry: Hashable {
    static func == (one: Inquiry, other: Inquiry) -> Bool {
        one === other
            || one.target == other.target && one.watch == other.watch && one.question == other.question
                && one.family == other.family && one.source == other.source && one.timeout == other.timeout
                && one.interval == other.interval
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(target)
        hasher.combine(watch)
    }
}
