public import ReachMonitoring
public import ReachProbing
// Members of a module that is not imported are not visible (SE-0444,
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md). Only one type is
// exported again, because the module has names that users of this library do not need.
@_exported public import struct ReachMonitoring.Target
#if Fetch
// Header fields and their names: `.accept`.
@_exported public import struct HTTPTypes.HTTPField
@_exported public import struct HTTPTypes.HTTPFields
#endif

// The types of the dashboard that occur in the interface of this module, so that users need to import only this one.

/// A target: a name, what is probed, and how its answers are judged.
public typealias Target = ReachMonitoring.Target
/// What is probed: a target's URL, with the options of its method.
public typealias Question = ReachMonitoring.Question
/// Why a text is not a valid target URL, and what to write instead.
public typealias URLProblem = ReachMonitoring.URLProblem
/// How many outcomes in a row change the health of a target.
public typealias Thresholds = ReachMonitoring.Thresholds
/// The health of a target: the verdict from its streaks of outcomes.
public typealias Health = ReachMonitoring.Health
/// A negative answer: the reason, and a short detail for people.
public typealias Failure = ReachMonitoring.Failure
/// Why there was no proper answer.
public typealias Reason = ReachMonitoring.Reason
/// Why this machine could not probe. A fault is never charged to the target.
public typealias Fault = ReachMonitoring.Fault
/// How a probe ended.
public typealias Outcome = ReachMonitoring.Outcome
/// A proper answer, with its round trip and details.
public typealias Reply = ReachMonitoring.Reply
/// Which certificate a server has, and who issued it.
public typealias CertificateIdentity = ReachMonitoring.CertificateIdentity

extension Target {
    /// The address family of a target's probes.
    public typealias Family = ReachMonitoring.Family
    /// Which addresses of a target's name are probed.
    public typealias AddressChoice = ReachMonitoring.AddressChoice
    /// A dependency of a target: another target, or a route out of this machine.
    public typealias Dependency = ReachMonitoring.Dependency
}

extension Question {
    /// How a target is probed: the scheme of its URL.
    public typealias Method = ReachMonitoring.Method
    /// The request of a target `http:` or `https:`.
    public typealias HTTP = ReachMonitoring.HTTPQuestion
    /// A target that other programs probe, at several vantage points. Probers of this library never probe it.
    public typealias Fleet = ReachMonitoring.FleetQuestion
    /// How many vantage points must agree on the health of such a target.
    public typealias Quorum = ReachMonitoring.Quorum
    /// How a request is sent, and what is expected.
    public typealias HTTPOptions = ReachMonitoring.HTTPOptions
    /// The query of a target `dns:`.
    public typealias DNS = ReachMonitoring.DNSQuestion
    /// The request of a target `redis:`, `rediss:`, `postgres:` or `mysql:`.
    public typealias Database = ReachMonitoring.DatabaseQuestion
    /// The properties of an echo request.
    public typealias ICMPOptions = ReachMonitoring.ICMPOptions
    /// What is sent on a connection, and what is expected.
    public typealias TCPOptions = ReachMonitoring.TCPOptions
    /// The options of a TLS handshake and for the certificate.
    public typealias TLSOptions = ReachMonitoring.TLSOptions
    /// The datagram of a target `udp:`, and what is expected.
    public typealias UDPOptions = ReachMonitoring.UDPOptions
    /// Bytes that are sent to a peer.
    public typealias Payload = ReachMonitoring.Payload
    /// The command of a target `exec:`.
    public typealias Command = ReachMonitoring.HookCommand
}

extension Reply {
    /// A phase of a round trip.
    public typealias Phase = ReachMonitoring.Phase
}

extension Prober {
    /// A function that runs the command of a target `exec:`.
    public typealias CommandRunner = ReachProbing.CommandRunner
    /// How a command ended, with its output. A runner returns the status `exited`, `signalled`, `notStarted` or `cancelled`;
    /// the others are those of hooks.
    public typealias CommandResult = ReachMonitoring.HookResult
}

// Not at the top level, where `Observation` would hide the module that the macro `@Observable` names, and `Transition` is
// a protocol of SwiftUI.
extension Monitor {
    /// A change of health: from, to, when, why, and how long the old health lasted.
    public typealias Transition = ReachMonitoring.Transition
    /// The record of one probe.
    public typealias Observation = ReachMonitoring.Observation
}

extension Monitor.Transition {
    /// The cause of a transition.
    public typealias Cause = ReachMonitoring.Cause
}
