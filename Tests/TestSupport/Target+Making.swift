public import ReachMonitoring

extension Target {
    /// Creates a target with defaults for all arguments, so that a test gives only the relevant ones.
    public static func make(
        _ name: String = "NAS",
        url: String? = nil,
        group: String? = nil,
        dependsOn: [Dependency] = [],
        interval: Duration = .seconds(1),
        timeout: Duration? = nil,
        rise: Int = 1,
        fall: Int = 3,
        slow: Duration? = nil,
        lossy: Double? = nil,
        tags: [String] = [],
        hooks: [HookRule] = []
    ) -> Target {
        let question = url.flatMap { try? Question($0) } ?? .tcp(host: "nas.local", port: 445)
        var target = Target(
            name: name,
            question: question,
            group: group,
            dependsOn: dependsOn,
            interval: interval,
            timeout: timeout,
            spread: 0,
            thresholds: Thresholds(rise: rise, fall: fall, slow: slow, lossy: lossy)
        )
        (target.tags, target.hooks) = (tags, hooks)
        return target
    }
}

extension HookRule {
    /// Creates a rule with defaults for all arguments.
    public static func make(
        on events: Set<HookEvent> = [.up],
        _ line: String = "mount /mnt/nas",
        isOnce: Bool = false,
        firesAtStart: Bool = false,
        within: Duration? = nil,
        minDown: Duration = .zero,
        cooldown: Duration = .zero
    ) -> HookRule {
        HookRule(
            on: events,
            run: .shell(line),
            isOnce: isOnce,
            firesAtStart: firesAtStart,
            within: within,
            minDown: minDown,
            cooldown: cooldown
        )
    }
}

extension WatchedSpan {
    /// The spans of a target in one run of the program.
    ///
    /// - Parameter events: the events of the target and of the program, in the order in which they happened.
    package static func spans(of events: some Sequence<HistoryEvent>, in run: ProgramRun) -> [WatchedSpan] {
        var spans = StoredSpans(of: run)
        for event in events { spans.add(event, of: 1) }
        return spans.byTarget[1] ?? []
    }
}

extension Outcome {
    /// Creates outcomes from letters: `r` a reply of 1 ms, `s` a slow one of 900 ms, `t` a timeout, `x` a refused
    /// connection, `f` a fault. Blanks are ignored.
    ///
    /// - Precondition: there are no other letters.
    public static func picture(_ letters: String) -> [Outcome] {
        letters.filter { $0 != " " }.map { letter in
            switch letter {
            case "r": .reply(roundTrip: .milliseconds(1))
            case "s": .reply(roundTrip: .milliseconds(900))
            case "t": .timeout
            case "x": .failure(Failure(.refused))
            case "f": .fault(Fault(.permission, detail: "no permission"))
            default: preconditionFailure("no outcome has the letter \(letter)")
            }
        }
    }
}
