public import Monitoring

extension Session {
    /// What is sent on a session, what answer is expected, and how its end is judged.
    public typealias Options = SessionOptions
    /// The cause of the end of a connection.
    public typealias Cause = SessionState.Cause

    /// The state of a session. The names are those that Apple's Network framework has for the states of a connection.
    public enum State: Sendable, Hashable, Codable {
        /// Nothing has been tried yet: there is no subscriber.
        case setup
        /// The name is looked up, the connection is being made, or the expected greeting or answer has not been
        /// received.
        case preparing
        /// No packet can leave this machine for the peer, for this reason. The session tries again, and at once when
        /// there is a route.
        case waiting(Failure)
        /// The connection to this numeric address is established, and the peer has sent what is expected.
        case ready(address: String)
        /// The connection broke, or could not be made, for this cause. The session tries again.
        case failed(Cause)
        /// The session was ended for good, by ``Session/cancel()``.
        case cancelled
    }
}

extension Session.State: CustomStringConvertible {
    /// The state as text: `failed: refused`.
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
