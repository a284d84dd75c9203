/// What several outages have in common, with the evidence.
public struct CommonCause: Sendable, Hashable, Identifiable {
    /// The identity of a cause, kept while it lasts.
    public struct ID: Sendable, Hashable, Comparable {
        /// The number, counted from one, and unique in one run of the program.
        public let rawValue: Int

        /// Creates an identity from its number.
        public init(_ rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Compares identities in the order of their creation.
        public static func < (one: ID, other: ID) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    /// How certain a cause is.
    public enum Stage: Sendable, Hashable {
        /// It waits for a probe of each of these hops (``CauseFinder/confirm(_:hop:answered:at:)``).
        case suspected(probing: [String])
        case named
    }

    /// Its identity.
    public let id: ID
    /// Whether it is named, or waits for probes.
    public let stage: Stage
    /// What failed: one of these, which no observation tells apart. Not empty, in the order of the path.
    public let accused: [Risk]
    /// What answers directly behind a silent position, if that is a single hop.
    public let next: String?
    /// The number of outages that it explains.
    public let explained: Int
    /// The number of targets behind it that are up, down or failing. Of a silent position, those of the branches that
    /// are down.
    public let behind: Int
    /// The number of targets behind it that are up.
    public let up: Int
    /// The number of targets that are up and not behind it.
    public let othersUp: Int
    /// When the first of the outages began.
    public let since: Duration
    /// An upper limit of the probability that chance makes so many outages begin together behind any risk. It is that at
    /// the time when the cause was found.
    public let chance: Double

    package init(
        id: ID,
        stage: Stage = .named,
        accused: [Risk],
        next: String? = nil,
        explained: Int,
        behind: Int,
        up: Int,
        othersUp: Int,
        since: Duration,
        chance: Double
    ) {
        (self.id, self.stage, self.accused, self.next) = (id, stage, accused, next)
        (self.explained, self.behind, self.up, self.othersUp) = (explained, behind, up, othersUp)
        (self.since, self.chance) = (since, chance)
    }
}

/// A change of the causes.
public enum CauseEvent: Sendable, Hashable {
    /// A cause was found, and these hops are to be probed once more.
    case suspected(CommonCause.ID, probe: [String])
    /// A cause was named: report it.
    case named(CommonCause.ID)
    /// A named cause has another place than before. It keeps its identity; nothing else is to be reported.
    case moved(CommonCause.ID)
    /// Targets joined or left a cause.
    case changed(CommonCause.ID)
    /// The probes acquitted a suspected cause. It was not named.
    case acquitted(CommonCause.ID)
    /// A suspected cause is over. It was not named.
    case dropped(CommonCause.ID)
    /// A named cause is over: what it explained is up again, or is explained by another cause.
    case ended(CommonCause.ID, mergedInto: CommonCause.ID?)
}

extension CauseEvent {
    /// Whether this event reports a new place, or the end, of a named cause.
    func reports(_ id: CommonCause.ID) -> Bool {
        switch self {
        case .moved(id), .ended(id, mergedInto: _): true
        default: false
        }
    }
}

/// News about a common cause.
public enum CauseNews: Sendable, Hashable {
    /// The cause was found.
    case named(CommonCause)
    /// The cause is at another place than was reported before.
    case moved(CommonCause)
    /// More targets went down, which the cause explains too.
    case joined(CommonCause)
    /// The cause is over: what it explained is up again, or has other causes. The numbers are those of the time when it
    /// explained most. If another cause explains the outages now, that is its successor.
    case ended(CommonCause, successor: CommonCause.ID?)

    /// The cause.
    public var cause: CommonCause {
        switch self {
        case .named(let cause), .moved(let cause), .joined(let cause), .ended(let cause, _): cause
        }
    }

    /// The stable name of what happened.
    public var name: String {
        switch self {
        case .named: "named"
        case .moved: "moved"
        case .joined: "joined"
        case .ended: "ended"
        }
    }
}
