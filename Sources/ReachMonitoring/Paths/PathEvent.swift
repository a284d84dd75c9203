/// What a plan reports.
public enum PathEvent<ID: Hashable & Sendable>: Sendable {
    /// A trace in the background is done.
    case completed(ID, PathCompletion)
    /// The path ends elsewhere than before, or for the first time somewhere.
    case ended(ID, PathEnd)
    /// Another router answers at a hop.
    case changed(ID, PathChange, at: Duration)
}

/// The result of one trace in the background.
public struct PathCompletion: Sendable, Hashable {
    /// Why the path was traced.
    public let cause: PathCause
    /// Where it ends.
    public let end: PathEnd
    /// When the trace started.
    public let started: Duration
    /// The number of probes that were sent for it.
    public let probes: Int
}

/// The settings of a plan.
public struct PathPlanOptions: Sendable, Hashable {
    /// The maximum number of background probes a second; nil for ten, or a sixtieth of the number of traces if that
    /// is more.
    public var rate: Int?
    /// How long a probe waits for its answer.
    public var timeout = Duration.seconds(2)
    /// How long after sending an answer still counts.
    public var latest = Duration.seconds(10)
    /// The time between the first probes of a watched path.
    public var spacing = Duration.milliseconds(2)

    /// Creates the default settings.
    public init() {}
}
