// A value with a description is printed by it in arrays, optionals and logs. Any other is printed with the name of its
// module.

extension Health: CustomStringConvertible {
    /// The raw value: `up`.
    public var description: String { rawValue }
}

extension Reason: CustomStringConvertible {
    /// The raw value: `host_unreachable`.
    public var description: String { rawValue }
}

extension Fault.Problem: CustomStringConvertible {
    /// The raw value: `too_many_files`.
    public var description: String { rawValue }
}

extension Phase: CustomStringConvertible {
    /// The raw value: `connect`.
    public var description: String { rawValue }
}

extension Method: CustomStringConvertible {
    /// The raw value: `icmp`.
    public var description: String { rawValue }
}

extension Family: CustomStringConvertible {
    /// The family as text: `any`, `IPv4`, `IPv6`.
    public var description: String { self == .any ? rawValue : "IPv\(rawValue)" }
}

extension Target: CustomStringConvertible {
    /// The same as ``label``.
    public var description: String { label }
}

extension Target.ID: CustomStringConvertible {
    /// The number.
    public var description: String { "\(rawValue)" }
}

extension TargetState: CustomStringConvertible {
    /// The target and its health: `NAS: up`.
    public var description: String { "\(target.label): \(health)" }
}

extension Blocker: CustomStringConvertible {
    /// The same as ``summary``.
    public var description: String { summary }
}

extension Transition: CustomStringConvertible {
    /// The same as ``summary``.
    public var description: String { summary }
}

extension Observation: CustomStringConvertible {
    /// The same as ``summary``.
    public var description: String { summary }
}

extension Reply: CustomStringConvertible {
    /// The round trip and the details: `12ms, HTTP 200`; `reply` without any.
    public var description: String {
        let parts = [roundTrip?.roundTripText, detail, concern].compactMap(\.self)
        return parts.isEmpty ? "reply" : parts.joined(separator: ", ")
    }
}

extension Reply.PhaseTime: CustomStringConvertible {
    /// The phase and its duration: `connect 4ms`.
    public var description: String { "\(phase) \(duration.roundTripText)" }
}

extension Outcome: CustomStringConvertible {
    /// The same as ``detail``.
    public var description: String { detail }
}

extension SessionState: CustomStringConvertible {
    /// The same as ``summary``.
    public var description: String { summary }
}
