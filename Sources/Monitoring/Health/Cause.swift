/// What brought a transition about.
public enum Cause: Sendable, Hashable {
    /// This many replies in a row.
    case replies(Int)
    /// This many losses in a row; the last one failed with `failure`, or timed out.
    case losses(Int, Failure?)
    /// This many faults in a row; the last one.
    case faults(Int, Fault)
    /// Replies over `limit`; the last one took `roundTrip`.
    case slow(roundTrip: Duration, limit: Duration)
    /// Replies that are a cause for concern; the last one said why.
    case concern(String)
    /// A loss over `limit`, both 0…1.
    case lossy(loss: Double, limit: Double)
}
