import Monitoring

extension ProbeLoop {
    /// Adds a target that is due to the backlog, and counts its slot.
    func enqueue(_ due: Schedule.DueProbe) {
        guard let watch = watches[due.id] else { return }
        if let slot = due.slot, load.record(slot) {
            if watch.lateFrom != nil {
                // The probe of an earlier slot has not left.
                load.recordSkipped()
            } else if !watch.awaitsItsProbe {
                watch.lateFrom = slot.lateFrom
            }
        }
        enqueue(watch)
    }

    /// Adds a target to the backlog, once.
    func enqueue(_ watch: WatchedTarget) {
        guard !watch.isInBacklog else { return }
        watch.isInBacklog = true
        backlog.append(watch.id)
    }

    /// Removes the targets of a batch from the backlog, and probes them.
    func sendBatch() {
        let batch = backlog.prefix(Self.batch)
        backlog.removeFirst(batch.count)
        for id in batch {
            guard let watch = watches[id] else { continue }
            watch.isInBacklog = false
            sendProbe(to: watch)
        }
    }

    /// Counts the slot of a target as late if its probe leaves too late.
    func recordDeparture(of watch: WatchedTarget, at time: Duration) {
        guard let lateFrom = watch.lateFrom else { return }
        watch.lateFrom = nil
        if time > lateFrom { load.recordLate() }
    }

    /// Reports how this lane keeps its schedule.
    func report(_ schedule: ScheduleReport?, at time: Duration) {
        guard let schedule else { return }
        report(.schedule(schedule, lane: lane.number, at: time), isRoutine: true)
    }
}
