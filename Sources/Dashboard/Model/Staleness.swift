/// How well the terminal's picture fits the model.
public enum Staleness: Sendable, Hashable, Comparable {
    /// Nothing has changed since it was drawn.
    case fresh
    /// Something has changed; the next tick paints it.
    case stale
    /// The user acted and waits to see it: paint at once.
    case urgent
}
