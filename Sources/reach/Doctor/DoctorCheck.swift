/// The result of one check of `reach doctor`.
struct DoctorCheck: Sendable, Hashable {
    /// The status of a check, as it is printed.
    enum Status: String, Sendable, Hashable {
        /// No problem.
        case ok
        /// Missing, but not needed by most users.
        case absent = "--"
        /// A problem.
        case problem = "!!"
    }

    let status: Status
    /// The subject of the check, such as `ICMP over IPv4`.
    let subject: String
    /// The finding, as text.
    let detail: String
    /// The commands that fix the problem, each of them sufficient.
    var fixes: [String] = []

    /// The line of the report, followed by a line for each fix.
    var text: String {
        let margin = String(repeating: " ", count: 22)
        let subject = subject + String(repeating: " ", count: max(1, 18 - subject.count))
        let lines = fixes.enumerated().map { index, fix in "\(margin)\(index == 0 ? "" : "or ")\(fix)" }
        return (["\(status.rawValue)  \(subject)\(detail)"] + lines).joined(separator: "\n")
    }
}
