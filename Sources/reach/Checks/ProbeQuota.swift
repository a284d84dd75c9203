import Monitoring

/// The remaining probes of each target and when they are due: a pure state machine for `check`.
struct ProbeQuota: Sendable {
    private let count: Int
    private var remaining: [Target.ID: Int] = [:]
    private var known: Set<Target.ID> = []
    private var queue = CalendarQueue<Target.ID>()

    /// Whether all probes of all targets have ended.
    var isMet: Bool { remaining.isEmpty }

    /// Creates a quota of `count` probes for each target.
    init(_ count: Int, of targets: [Target.ID]) {
        self.count = count
        update(to: targets)
    }

    /// Changes the targets: adds the full quota for new ones, and drops those that are no longer listed.
    mutating func update(to targets: [Target.ID]) {
        let current = Set(targets)
        remaining = remaining.filter { current.contains($0.key) }
        for id in targets where known.insert(id).inserted { remaining[id] = count }
    }

    /// Whether a target has remaining probes.
    func isPending(_ id: Target.ID) -> Bool {
        remaining[id] != nil
    }

    /// Records ended probes; faults count as well.
    ///
    /// - Parameter pause: Returns the time from the end of a probe to the next probe of its target.
    /// - Returns: The targets whose last probe has ended.
    mutating func record(_ findings: [Finding], pause: (Observation) -> Duration) -> [Target.ID] {
        var met: [Target.ID] = []
        for case .observation(let observation) in findings {
            let id = observation.target
            guard let count = remaining[id] else { continue }
            if count > 1 {
                remaining[id] = count - 1
                queue.add(id, at: observation.time + pause(observation))
            } else {
                remaining[id] = nil
                met.append(id)
            }
        }
        return met
    }

    /// Removes and returns the targets whose next probe is due.
    mutating func due(at now: Duration) -> [Target.ID] {
        var due: [Target.ID] = []
        while let id = queue.take(at: now) {
            if isPending(id) { due.append(id) }
        }
        return due
    }
}
