/// Why this machine cannot probe. A fault is never charged to the target.
public struct Fault: Sendable, Hashable, Codable {
    /// The kind of fault. The raw values are a contract: JSON and metrics use them.
    public enum Problem: String, Sendable, Hashable, Codable, CaseIterable {
        /// The system denies this user the right to probe.
        case permission
        /// This process, or the machine, is out of file descriptors.
        case tooManyFiles = "too_many_files"
        /// The kernel is out of buffers or memory.
        case noMemory = "no_memory"
        /// The `source` of the settings does not exist, or has no route to the target.
        case noSource = "no_source"
        /// The file of certificate authorities cannot be read, or has no certificate.
        case noAuthorities = "no_authorities"
        /// The client certificate or its key cannot be read, they do not match, or the certificate has expired.
        case noCertificate = "no_certificate"
        /// A packet filter or a route of this machine refuses the probe.
        case localFilter = "local_filter"
        /// Too few vantage points report on the target.
        case notReporting = "not_reporting"
        /// Any other error of this program or machine.
        case `internal`
    }

    /// The kind of fault.
    public let problem: Problem
    /// The text for display: what failed.
    public let detail: String
    /// Commands that fix the problem, any one of which is enough; empty if none is known.
    public let cures: [String]

    /// Creates a fault with its detail and its fixes.
    public init(_ problem: Problem, detail: String, cures: [String] = []) {
        self.problem = problem
        self.detail = detail
        self.cures = cures
    }

    /// The detail and the fixes as part of a sentence.
    public var summary: String {
        cures.isEmpty ? detail : "\(detail): \(cures.joined(separator: ", or "))"
    }
}

extension Fault: CustomStringConvertible {
    /// The same as ``summary``.
    public var description: String { summary }
}
