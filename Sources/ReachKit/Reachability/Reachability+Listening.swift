import Monitoring
import Synchronization

extension Reachability {
    /// One who listens.
    struct Listening: Sendable {
        /// What to leave by.
        let number: Int
        /// What the status was when the listening began.
        let current: Status
        /// The same, and what the status has changed to since; the newest, where somebody is slow.
        let statuses: AsyncStream<Status>
    }

    /// Listens to the status until the stream is dropped, its task is cancelled, or ``leave(_:)``.
    func listen() -> Listening {
        let (statuses, listener) = AsyncStream.makeStream(of: Status.self, bufferingPolicy: .bufferingNewest(1))
        let (listening, fresh) = state.withLock { state -> (Listening, Int?) in
            state.listenerCount += 1
            state.listeners[state.listenerCount] = listener
            let isFirst = state.listeners.count == 1
            if isFirst {
                state.number += 1
                state.asking = .beginning([])
            }
            let current = state.status
            listener.yield(current)
            let listening = Listening(number: state.listenerCount, current: current, statuses: statuses)
            return (listening, isFirst ? state.number : nil)
        }
        // Whoever kept the stream here would keep it from ending.
        listener.onTermination = { [self, number = listening.number] _ in leave(number) }
        if let fresh { begin(fresh) }
        return listening
    }

    /// A listener leaves, unless it has left; with the last one ends the asking.
    func leave(_ number: Int) {
        let listener = state.withLock { state in
            let listener = state.listeners.removeValue(forKey: number)
            guard listener != nil, state.listeners.isEmpty else { return listener }
            if case .under(let watch, let appraisal) = state.asking { watch.end(asking: appraisal.ids) }
            state.asking = .nobody
            return listener
        }
        listener?.finish()
    }

    /// Begins to ask. What the prober tells meanwhile, perhaps at once, is kept for afterwards.
    private func begin(_ number: Int) {
        let watch = prober.watch { [self] in hear($0, number) }
        let way = state.withLock { state -> Appraisal.Way? in
            guard state.number == number, case .beginning(let early) = state.asking else {
                watch.end(asking: [])
                return nil
            }
            var appraisal = Appraisal(subject, firstID: watch.firstID)
            watch.perform(appraisal.begin(at: prober.time))
            state.tell(appraisal.status, after: .unknown)
            return state.record(early, by: appraisal, under: watch)
        }
        if let way { find(way, number) }
    }

    /// Takes findings in.
    private func hear(_ findings: [Finding], _ number: Int) {
        let way = state.withLock { state -> Appraisal.Way? in
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
        if let way { find(way, number) }
    }

    /// Finds out by which link the way leads; nobody has to wait for that.
    private func find(_ way: Appraisal.Way, _ number: Int) {
        let link = findLink(way)
        state.withLock { state in
            guard state.number == number, case .under(let watch, var appraisal) = state.asking else { return }
            let before = appraisal.status
            appraisal.record(link, of: way)
            state.asking = .under(watch, appraisal)
            state.tell(appraisal.status, after: before)
        }
    }
}

extension Reachability.State {
    /// What those who listen were told last.
    fileprivate var status: Reachability.Status {
        if case .under(_, let appraisal) = asking { appraisal.status } else { .unknown }
    }

    /// Has findings judged, and does what follows.
    ///
    /// - Returns: the way whose link has to be found out.
    fileprivate mutating func record(
        _ findings: [Finding],
        by appraisal: Appraisal,
        under watch: ProberWatch
    ) -> Appraisal.Way? {
        var appraisal = appraisal
        let before = appraisal.status
        let step = appraisal.record(findings)
        asking = .under(watch, appraisal)
        watch.perform(step.requests)
        tell(appraisal.status, after: before)
        return step.wayOf
    }

    /// Tells those who listen of a status that is another than before.
    fileprivate mutating func tell(_ status: Reachability.Status, after before: Reachability.Status) {
        guard status != before else { return }
        lastStatus = status
        for listener in listeners.values { listener.yield(status) }
    }
}
