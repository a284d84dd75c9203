import Logging
import ReachMonitoring

/// A target of a lane, made from the roster's `Assignment`, with the state that every probe changes. Confined to its
/// event loop.
final class WatchedTarget {
    /// The minimum number of replies in a row that are not routine. At least as many as bring a target up are reported
    /// at once.
    private static let minNotableReplies = 3

    // The properties that every probe reads come first: with thousands of targets, each is a cache miss.
    private(set) var method: Method
    /// Whether it was due while a probe was in flight, and must be probed when that one ends.
    var hasDeferredProbe = false
    /// Whether it is in the backlog.
    var isInBacklog = false
    /// From when on its probe is late; nil unless it is due by the schedule and its probe has not left.
    var lateFrom: Duration?
    /// Whether the target is down, and its recovery must be noticed at once.
    var isUrgent = false
    /// Whether its newest probe was lost.
    var isSilent = false
    /// The number of probes in a row with a reply.
    private var replies: Int32 = 0
    /// The number of replies in a row that are not routine.
    private var notableReplies: Int32 = 0
    /// The number of probes in flight.
    var inFlight = 0
    /// The number of the newest probe with a reply.
    var answered = 0
    /// The number of probes made so far.
    private var sequence = 0
    /// Distinguishes this watch of the target from earlier ones.
    private var watch: WatchID
    /// The target, whose box the probes in flight share.
    private var sharedTarget: Shared<Target>
    private(set) var prober: any MethodProber
    /// The last formatted address; a target rarely changes its address.
    private var address: (numbers: IPAddress, text: String)?
    private(set) var host = TargetHost.none
    var target: Target { sharedTarget.value }
    /// The choice among the addresses of its name; nil while the name has a single one.
    var selection: AddressSelection?
    /// The probes in flight that were sent again because their name has other addresses now.
    var resent: Set<Int> = []
    /// The single address to probe, independent of the other addresses of the name.
    private(set) var onlyAddress: IPAddress?
    /// Whether its address depends on the index of an interface.
    private var hasZone = false
    /// The addresses of the name at the last probe; kept only for targets with a row for each address.
    private var recordedAddresses: [IPAddress] = []

    /// The rate, in probes per second, if this process times the round trips and not the kernel; otherwise zero.
    var rateTimedHere: Double {
        target.question.isTimedByKernel
            ? 0 : 1e9 / Double(max(target.interval, Schedule.shortestInterval).nanoseconds)
    }

    /// Whether the next probe may be sent while others are in flight.
    var mayOverlap: Bool {
        method.overlaps || isUrgent && method.overlapsWhileDown && inFlight < Target.maxOverlapping
    }

    /// Whether its probe in flight delays the next one.
    var awaitsItsProbe: Bool { inFlight > 0 && !mayOverlap }

    var id: Target.ID { watch.target }
    /// The number of the watch among those of its loop.
    var number: Int { watch.number }

    init(number: Int, of assignment: ProbeRequest.Assignment, prober: any MethodProber) {
        watch = WatchID(target: assignment.id, number: number)
        sharedTarget = assignment.sharedTarget
        self.prober = prober
        method = assignment.target.question.method
        readTarget()
    }

    /// Applies new settings. The numbers of the probes continue.
    ///
    /// - Parameter number: a new number discards the probes in flight.
    func update(to assignment: ProbeRequest.Assignment, prober: any MethodProber, number: Int) {
        if number != self.number { forgetProbes() }
        watch = WatchID(target: assignment.id, number: number)
        sharedTarget = assignment.sharedTarget
        self.prober = prober
        method = target.question.method
        readTarget()
    }

    /// Whether the interface of its link-local address has appeared, disappeared, or changed its index.
    var hasMoved: Bool {
        hasZone && (TargetHost(of: target) != host || target.onlyAddress != onlyAddress)
    }

    /// Updates its link-local address to the interface's current index.
    func follow(number: Int) {
        forgetProbes()
        watch = WatchID(target: id, number: number)
        readTarget()
    }

    private func readTarget() {
        host = TargetHost(of: target)
        onlyAddress = target.onlyAddress
        hasZone = target.hasZone
        notableReplies = Int32(clamping: max(Self.minNotableReplies, target.thresholds.rise))
    }

    private func forgetProbes() {
        inFlight = 0
        hasDeferredProbe = false
        replies = 0
        resent = []
        selection = nil
        recordedAddresses = []
    }

    /// Sets the interval of a session, which limits the pauses between its connection attempts. Other methods ignore
    /// it.
    func setPace(_ interval: Duration) {
        guard method == .session else { return }
        var target = target
        target.interval = interval
        sharedTarget = Shared(target)
    }

    /// Counts and returns the next probe.
    func nextProbe(at time: Duration) -> Probe {
        sequence += 1
        inFlight += 1
        hasDeferredProbe = false
        return Probe(watch: watch, target: sharedTarget, sequence: sequence, made: time, address: host.address)
    }

    /// Counts the end of a probe. Returns whether it is routine: another reply after many, whose report can wait.
    func isRoutine(_ outcome: Outcome) -> Bool {
        guard case .reply = outcome else {
            replies = 0
            return false
        }
        if replies <= notableReplies { replies += 1 }
        return replies > notableReplies
    }

    /// Records the addresses of its name.
    ///
    /// - Returns: Whether they differ from the last recorded ones.
    func recordAddresses(_ addresses: [IPAddress]) -> Bool {
        defer { recordedAddresses = addresses }
        return recordedAddresses != addresses
    }

    /// Returns the choice among several addresses, updated to these.
    func selection(of addresses: [IPAddress]) -> AddressSelection {
        if let selection {
            selection.update(to: addresses)
            return selection
        }
        let selection = AddressSelection(addresses)
        self.selection = selection
        return selection
    }

    /// Returns the text form of an address.
    func text(of numbers: IPAddress) -> String {
        if let address, address.numbers == numbers { return address.text }
        let text = "\(numbers)"
        address = (numbers, text)
        return text
    }
}

extension Target {
    fileprivate var onlyAddress: IPAddress? {
        if case .only(let text) = addresses { IPAddress(literal: text) } else { nil }
    }

    fileprivate var hasZone: Bool {
        if case .only(let text) = addresses, text.contains("%") { return true }
        return question.host?.contains("%") == true
    }
}

extension Logger {
    /// Logs that the address in use is no longer an address of the name.
    func moved(_ name: String, from old: String, to new: String) {
        info("address of the name has changed", metadata: ["name": "\(name)", "from": "\(old)", "to": "\(new)"])
    }

    /// Logs the end of a probe.
    func ended(_ observation: Observation, of watch: WatchedTarget) {
        // Checked here too: building the message touches memory that is not in the cache.
        guard logLevel <= .trace else { return }
        trace(
            "probe ended: \(observation.summary)",
            metadata: ["target": "\(watch.target.label)", "sequence": "\(observation.sequence)"]
        )
    }
}
