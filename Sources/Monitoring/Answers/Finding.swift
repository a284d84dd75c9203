/// A message from a prober to the roster. Findings cross from the event loops in batches.
public enum Finding: Sendable, Hashable {
    /// A probe has ended.
    case observation(Observation)
    /// A reply arrived after its probe had timed out, this long after the probe was `sent`; the outcome stays.
    case late(Target.ID, roundTrip: Duration, sent: Duration)
    /// A second reply to one probe arrived; the outcome stays.
    case duplicate(Target.ID)
    /// The target's name resolves to another address than before; known at this time.
    case addressChanged(Target.ID, from: String, to: String, at: Duration)
    /// The addresses of a target that has a row for each address, known at this time; not empty.
    case addresses(Target.ID, [String], at: Duration)
    /// The session of the target changed its state, at this time since the start of the program. A session that is
    /// ready has a numeric address.
    case session(Target.ID, SessionState, address: String? = nil, at: Duration)
    /// This machine gained or lost its last uplink, at this time since the start of the program. Reported again
    /// when links, addresses or routes change.
    case link(isUp: Bool, at: Duration)
    /// Vantage points report on a target of the fleet, received at this time since the start of the program. Vantage
    /// points that are not among them stay as they are.
    case vantageReports(Target.ID, [VantageReport], at: Duration)
    /// These vantage points still report at this time: what was recorded of them holds for all targets,
    /// unless it is stale.
    case vantagePointsReporting([String], at: Duration)
    /// How a lane kept its schedule until this time.
    case schedule(ScheduleReport, lane: Int, at: Duration)
    /// The program did not run for `gap`: probes that were in flight get no outcome.
    case stalled(gap: Duration, at: Duration)
}
