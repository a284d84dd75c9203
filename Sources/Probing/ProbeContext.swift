import Monitoring

/// The settings that all probes of one watch of a target share. A class, so that probes are small to copy.
final class ProbeContext: Sendable {
    let target: Target.ID
    /// Distinguishes this watch of the target from earlier ones, whose replies are ignored.
    let watch: Int
    let timeout: Duration
    /// The time between two probes.
    let interval: Duration
    /// The source address or interface; nil leaves the choice to the system.
    let source: String?
    let question: Question
    /// The address family for all lookups of the target, those of redirects included.
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

extension ProbeContext: Hashable {
    static func == (one: ProbeContext, other: ProbeContext) -> Bool {
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
