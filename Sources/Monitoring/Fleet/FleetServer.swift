/// The state of a server that is asked about the fleet.
public struct FleetServer: Sendable, Hashable {
    /// The name in the settings.
    public var name: String
    /// Why it does not answer as it should, as part of a sentence; nil if it does.
    public var problem: String?
    /// When the problem began, since the start of the program.
    public var problemSince: Duration?
    /// When it answered last, since the start of the program; nil if it never did.
    public var answered: Duration?
    /// How far its clock is ahead of that of this machine, if the difference matters.
    public var clockAhead: Duration?

    /// Creates the state before the first answer.
    public init(name: String) {
        self.name = name
    }

    /// The problem as a message, such as `prometheus:9090 for 40s: refused – values are 52s old`; nil without one.
    public func message(at now: Duration) -> String? {
        if let problem {
            let span = problemSince.map { " for \((now - $0).spanText)" } ?? ""
            let age = answered.map { " – values are \((now - $0).spanText) old" } ?? ""
            return "\(name)\(span): \(problem)\(age)"
        }
        guard let clockAhead else { return nil }
        let span = (clockAhead < .zero ? .zero - clockAhead : clockAhead).spanText
        return "\(name): its clock is \(span) \(clockAhead < .zero ? "behind" : "ahead of") ours – check NTP"
    }
}
