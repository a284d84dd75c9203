public import Monitoring

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
            thresholds: Thresholds(rise: rise, fall: fall, slow: slow, lossy: lossy),
            hooks: hooks
        )
        target.tags = tags
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
