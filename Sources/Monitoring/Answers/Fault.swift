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
        /// What the settings name as `source` is not there, or no packet to the target can leave from there.
        case noSource = "no_source"
        /// The file of authorities cannot be read, or has no certificate.
        case noAuthorities = "no_authorities"
        /// Anything else that went wrong on our side.
        case `internal`
    }

    /// What kind of trouble it is.
    public let problem: Problem
    /// What a person reads: what failed.
    public let detail: String
    /// Commands that mend it, any of which will do; empty where none is known.
    public let cures: [String]

    /// A fault with its detail, and what mends it.
    public init(_ problem: Problem, detail: String, cures: [String] = []) {
        self.problem = problem
        self.detail = detail
        self.cures = cures
    }

    /// The detail and the cures as part of a sentence.
    public var summary: String {
        cures.isEmpty ? detail : "\(detail): \(cures.joined(separator: ", or "))"
    }
}

extension Fault: CustomStringConvertible {
    /// The detail and the cures, as ``summary``.
    public var description: String { summary }
}
