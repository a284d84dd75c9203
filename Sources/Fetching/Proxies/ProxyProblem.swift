/// Why a proxy of the environment cannot be used, in one line without its password.
public struct ProxyProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which variable, what is wrong with it, and what to write instead.
    public let description: String
}
