/// How well the terminal's picture fits the model.
public enum Staleness: Sendable, Hashable, Comparable {
    /// Nothing has changed since it was drawn.
    case fresh
    /// Another reply of somebody who replied before has moved figures; the clock paints it, when it goes on.
    case moved
    /// Something has happened; the next tick paints it.
    case stale
    /// The user acted and waits to see it: paint at once.
    case urgent
}
