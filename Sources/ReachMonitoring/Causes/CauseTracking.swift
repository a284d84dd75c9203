/// What a roster keeps to find the common causes of outages.
struct CauseTracking: Sendable {
    /// A cause that was reported.
    struct Reported: Sendable {
        /// The cause as it was when it explained most.
        var cause: CommonCause
        /// The targets whose outages it has explained.
        var targets: Set<Target.ID>
        /// Whether none of them had replied since the start of the program.
        let isFromStart: Bool
        /// When it was named, and when it ended; nil while it lasts.
        let start: Duration
        var end: Duration?
    }

    /// A cause that waits for probes of its hops.
    struct Suspicion: Sendable {
        var hops: [String]
        /// When it no longer waits.
        let limit: Duration
    }

    var finder = CauseFinder()
    /// The targets whose risks, or only whose conditions, may have changed since the last search.
    private(set) var relinked: Set<Target.ID> = []
    private(set) var changed: Set<Target.ID> = []
    private(set) var removed: [Target.ID] = []
    /// The suspected causes.
    var suspicions: [CommonCause.ID: Suspicion] = [:]
    /// The reports of the tracer on hops since the last search.
    private(set) var answers: [(hop: String, answered: Bool)] = []
    /// The time of the last findings.
    private(set) var now = Duration.zero
    /// The causes that last.
    var reported: [CommonCause.ID: Reported] = [:]
    /// The causes that are over, oldest first, for a look at the past.
    private(set) var past: [Reported] = []
    /// When each rule last fired for an event about a cause: such a rule fires once for all of its targets.
    var fired: [RuleEvent: Duration] = [:]
    /// The rules that run once and have succeeded.
    var disarmed: Set<HookRule> = []

    struct RuleEvent: Sendable, Hashable {
        let rule: HookRule
        let event: HookEvent
    }

    /// The number of causes that are over and kept.
    private static let pastCapacity = 500

    mutating func advance(to time: Duration) { now = max(now, time) }
    mutating func noteRisks(of id: Target.ID) { relinked.insert(id) }
    mutating func noteCondition(of id: Target.ID) { changed.insert(id) }
    mutating func noteAnswer(of hop: String, _ answered: Bool) { answers.append((hop, answered)) }
    mutating func noteRemoved(_ ids: [Target.ID]) { removed += ids }

    mutating func takeAnswers() -> [(hop: String, answered: Bool)] {
        defer { answers = [] }
        return answers
    }

    mutating func takeChanges() -> (relinked: Set<Target.ID>, changed: Set<Target.ID>, removed: [Target.ID]) {
        defer { (relinked, changed, removed) = ([], [], []) }
        return (relinked, changed, removed)
    }

    /// Keeps a cause that is over.
    mutating func end(_ ended: Reported, at now: Duration) {
        var ended = ended
        ended.end = now
        past.append(ended)
        if past.count > Self.pastCapacity { past.removeFirst(Self.pastCapacity / 2) }
    }

    /// Goes back to a past time: the causes are those that lasted then, as they were when they explained most.
    mutating func rewind(to time: Duration) {
        let all = past + reported.values
        self = CauseTracking()
        for cause in all where cause.start <= time && cause.end.map({ time < $0 }) ?? true {
            reported[cause.cause.id] = cause
        }
    }

    /// The places of all causes that are kept.
    var places: [CommonCause.ID: String] {
        Dictionary((past + reported.values).map { ($0.cause.id, $0.cause.place) }) { $1 }
    }

    /// Decides whether an event about a cause fires a rule; nil for a rule that is disarmed.
    mutating func decide(
        _ rule: HookRule,
        on event: HookEvent,
        by cause: CommonCause,
        at now: Duration
    ) -> HookTracker.Decision? {
        guard !disarmed.contains(rule) else { return nil }
        let key = RuleEvent(rule: rule, event: event)
        if let last = fired[key], last + rule.cooldown > now {
            return .skip(rule, .coolingDown(left: last + rule.cooldown - now))
        }
        fired[key] = now
        return .fire(rule, event, .cause(cause))
    }

    /// Restores the last run of a rule, from before the start of the program.
    mutating func restore(_ rule: HookRule, on event: HookEvent, at time: Duration, isSuccess: Bool) {
        guard event.isAboutCauses else { return }
        if rule.isOnce, isSuccess { disarmed.insert(rule) }
        let key = RuleEvent(rule: rule, event: event)
        fired[key] = max(fired[key] ?? time, time)
    }

    /// Revokes a run that was dropped: it begins no cooldown.
    mutating func revoke(_ run: HookRun) {
        let key = RuleEvent(rule: run.rule, event: run.context.event)
        if fired[key] == run.context.time { fired[key] = nil }
    }

    /// When the next search is due; nil before another change.
    var deadline: Duration? {
        guard relinked.isEmpty, changed.isEmpty, removed.isEmpty, answers.isEmpty else { return .zero }
        return (suspicions.values.map(\.limit) + [finder.nextDeadline].compactMap(\.self)).min()
    }
}
