/// What a style stands for. Views name roles; only the theme knows colours.
public enum Role: Int, Sendable, Hashable, CaseIterable {
    /// What is read first: names, figures, what happened.
    case text
    /// What is read when looked for: units, rules, headings.
    case faint
    /// Titles, and the keys of the footer.
    case title
    /// Healthy.
    case up
    /// Slow, lossy, pending.
    case degraded
    /// Failing.
    case down
    /// Paused, blocked or not known yet.
    case waiting
    /// What the user put there: a filter, a prompt, an armed hook.
    case accent
}
