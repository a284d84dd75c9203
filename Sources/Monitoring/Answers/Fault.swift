/// Why we could not ask. It is never charged to the target.
public struct Fault: Sendable, Hashable {
    /// What kind of trouble it is. The raw values are a contract: JSON and metrics use them.
    public enum Problem: String, Sendable, Hashable, CaseIterable {
        /// The system does not let this user ask.
        case permission
        /// This process, or the machine, is out of descriptors.
        case tooManyFiles = "too_many_files"
        /// The kernel is out of buffers or memory.
        case noMemory = "no_memory"
        /// Anything else that went wrong on our side.
        case `internal`
    }

    /// What kind of trouble it is.
    public let problem: Problem
    /// What a person reads: what failed, and the command that mends it.
    public let detail: String

    /// A fault with its detail.
    public init(_ problem: Problem, detail: String) {
        self.problem = problem
        self.detail = detail
    }
}
