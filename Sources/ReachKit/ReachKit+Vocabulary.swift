public import Monitoring
// Of a module that is not imported, members cannot be seen where that is looked at
// (https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md). Named again is one
// type alone, since its module has names that a stranger has no use for.
@_exported public import struct Monitoring.Target

// The words of the dashboard that stand in what this module says, so that nobody needs to import more than it.

/// One thing that is asked: a name and a question, and when its answers count.
public typealias Target = Monitoring.Target
/// What is asked of a target: its URL, with the options of its method.
public typealias Question = Monitoring.Question
/// Why a text is no URL of a target, and what to write instead.
public typealias URLProblem = Monitoring.URLProblem
/// When a streak of outcomes changes the health of a target.
public typealias Thresholds = Monitoring.Thresholds
/// What is believed of a target, from its streaks of outcomes.
public typealias Health = Monitoring.Health
/// A change of health: from, to, when, why, and how long the old one lasted.
public typealias Transition = Monitoring.Transition
/// A probe's record.
public typealias Observation = Monitoring.Observation
/// An answer that says no: the reason, and a short detail for a person.
public typealias Failure = Monitoring.Failure
/// Why a target did not answer properly.
public typealias Reason = Monitoring.Reason
/// Why we could not ask. It is never charged to the target.
public typealias Fault = Monitoring.Fault
/// How a probe ended.
public typealias Outcome = Monitoring.Outcome
/// A proper answer, and what it told besides.
public typealias Reply = Monitoring.Reply

extension Target {
    /// The address family that a target is asked by.
    public typealias Family = Monitoring.Family
    /// Which of the addresses of its name a target is probed at.
    public typealias AddressChoice = Monitoring.AddressChoice
    /// What a target depends on: another one, or a way out of this machine.
    public typealias Dependency = Monitoring.Dependency
}

extension Question {
    /// How a target is asked: the scheme of its URL.
    public typealias Method = Monitoring.Method
}

extension Transition {
    /// What brought a transition about.
    public typealias Cause = Monitoring.Cause
}
