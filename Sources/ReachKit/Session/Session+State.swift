public import Monitoring

extension Session {
    /// How a held TCP connection is kept and judged.
    public typealias Options = SessionOptions
    /// What a connection died of.
    public typealias Cause = SessionState.Cause

    /// Where a session stands. The names are those that Apple's Network framework has for the states of a connection.
    public enum State: Sendable, Hashable {
        /// Nothing has been tried yet: nobody listens.
        case setup
        /// The name is looked up, the connection is being made, or what has to be said first is not said yet.
        case preparing
        /// Nothing could leave this machine for the peer, for this reason; it is tried again, and at once when there is a
        /// way out.
        case waiting(Failure)
        /// The connection stands, to this numeric address, and the peer has said what is expected.
        case ready(address: String)
        /// The connection broke, or could not be made, for this cause; it is tried again.
        case failed(Cause)
        /// The session was ended for good, by ``Session/cancel()``.
        case cancelled
    }
}

extension Session.State: CustomStringConvertible {
    /// The state in words: `failed: connection refused`.
    public var description: String {
        switch self {
        case .setup: "setup"
        case .preparing: "preparing"
        case .waiting(let failure): "waiting: \(failure.detail)"
        case .ready(let address): "ready: \(address)"
        case .failed(let cause): "failed: \(cause.detail)"
        case .cancelled: "cancelled"
        }
    }
}
