import Monitoring

/// How often each target is still to be asked, and when: a pure state machine, which `check` follows.
struct Quota: Sendable {
    private let count: Int
    private var left: [Target.ID: Int] = [:]
    private var known: Set<Target.ID> = []
    private var agenda = Agenda<Target.ID>()

    /// Whether every target was asked as often as it was to be.
    var isMet: Bool { left.isEmpty }

    /// Every one of these targets is to be asked so often.
    init(_ count: Int, of targets: [Target.ID]) {
        self.count = count
        update(to: targets)
    }

    /// Takes over other targets: new ones are to be asked as often, the others are left as they are or removed.
    mutating func update(to targets: [Target.ID]) {
        let current = Set(targets)
        left = left.filter { current.contains($0.key) }
        for id in targets where known.insert(id).inserted { left[id] = count }
    }

    /// Whether a target is asked still.
    func isOpen(_ id: Target.ID) -> Bool {
        left[id] != nil
    }

    /// Takes into account how probes ended, faults among them.
    ///
    /// - Parameter pause: how long to wait before a target is asked again.
    /// - Returns: The targets that need not be asked any more.
    mutating func record(_ findings: [Finding], pause: (Target.ID) -> Duration) -> [Target.ID] {
        var met: [Target.ID] = []
        for case .observation(let observation) in findings {
            let id = observation.target
            guard let count = left[id] else { continue }
            if count > 1 {
                left[id] = count - 1
                agenda.add(id, at: observation.time + pause(id))
            } else {
                left[id] = nil
                met.append(id)
            }
        }
        return met
    }

    /// Those that are to be asked again now.
    mutating func due(at now: Duration) -> [Target.ID] {
        var due: [Target.ID] = []
        while let id = agenda.take(at: now) {
            if isOpen(id) { due.append(id) }
        }
        return due
    }
}
