import Monitoring
import Synchronization

extension Reachability {
    /// One who listens.
    struct Listening: Sendable {
        /// What to leave by.
        let number: Int
        /// What the status was when the listening began.
        let start: Status
        /// Rings when the status may have changed, at first at once.
        let bells: AsyncStream<Void>
    }

    /// What those who listen are to know now.
    var heard: Status {
        state.withLock { $0.heard }
    }

    /// Listens to the status until the bells are dropped, their task is cancelled, or ``leave(_:)``.
    func listen() -> Listening {
        let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (listening, fresh) = state.withLock { state -> (Listening, Int?) in
            state.listenerCount += 1
            state.bells[state.listenerCount] = bell
            let isFirst = state.bells.count == 1
            if isFirst {
                state.number += 1
                state.asking = .beginning([])
            }
            let listening = Listening(number: state.listenerCount, start: state.heard, bells: bells)
            return (listening, isFirst ? state.number : nil)
        }
        // Whoever kept the stream here would keep it from ending.
        bell.onTermination = { [self, number = listening.number] _ in leave(number) }
        bell.yield()
        if let fresh { begin(fresh) }
        return listening
    }

    /// A listener leaves, unless it has left; with the last one ends the asking.
    func leave(_ number: Int) {
        let bell = state.withLock { state in
            let bell = state.bells.removeValue(forKey: number)
            guard bell != nil, state.bells.isEmpty else { return bell }
            if case .under(let watch, let appraisal) = state.asking { watch.end(asking: appraisal.ids) }
            state.asking = .nobody
            return bell
        }
        bell?.finish()
    }

    /// Begins to ask. What the prober tells meanwhile, perhaps at once, is kept for afterwards.
    private func begin(_ number: Int) {
        let watch = prober.watch { [self] in hear($0, number) }
        let step = state.withLock { state -> Step? in
            guard state.number == number, case .beginning(let early) = state.asking else {
                watch.end(asking: [])
                return nil
            }
            var appraisal = Appraisal(subject, firstID: watch.firstID)
            watch.perform(appraisal.begin(at: prober.time))
            return state.record(early, by: appraisal, under: watch)
        }
        if let step { perform(step, number) }
    }

    /// Takes findings in.
    private func hear(_ findings: [Finding], _ number: Int) {
        let step = state.withLock { state -> Step? in
            guard state.number == number else { return nil }
            switch state.asking {
            case .nobody:
                return nil
            case .beginning(let early):
                state.asking = .beginning(early + findings)
                return nil
            case .under(let watch, let appraisal):
                return state.record(findings, by: appraisal, under: watch)
            }
        }
        if let step { perform(step, number) }
    }

    /// Rings for those who listen, and finds out by which link the way leads if that is in question; nobody has to wait
    /// for that.
    private func perform(_ step: Step, _ number: Int) {
        step.ring()
        guard let way = step.wayOf else { return }
        let link = findLink(way)
        let next = state.withLock { state -> Step? in
            guard state.number == number, case .under(let watch, var appraisal) = state.asking else { return nil }
            appraisal.record(link, of: way)
            return state.take(appraisal, under: watch, wayOf: nil)
        }
        next?.ring()
    }
}

/// What to do once the lock is open again. Whoever rings wakes a task up, which must not be done in it: a task that is
/// cancelled just then may hold its own lock, and wait for this one.
private struct Step {
    let bells: [AsyncStream<Void>.Continuation]
    let wayOf: Appraisal.Way?

    func ring() {
        for bell in bells { bell.yield() }
    }
}

extension Reachability.State {
    fileprivate var heard: Reachability.Status {
        if case .under(_, let appraisal) = asking { appraisal.status } else { .unknown }
    }

    /// Has findings judged.
    fileprivate mutating func record(
        _ findings: [Finding],
        by appraisal: Appraisal,
        under watch: ProberWatch
    ) -> Step {
        var appraisal = appraisal
        let step = appraisal.record(findings)
        // In the lock, or what ends the asking could overtake it.
        watch.perform(step.requests)
        return take(appraisal, under: watch, wayOf: step.wayOf)
    }

    fileprivate mutating func take(
        _ appraisal: Appraisal,
        under watch: ProberWatch,
        wayOf way: Appraisal.Way?
    ) -> Step {
        let before = heard
        asking = .under(watch, appraisal)
        guard heard != before else { return Step(bells: [], wayOf: way) }
        lastStatus = heard
        return Step(bells: Array(bells.values), wayOf: way)
    }
}
