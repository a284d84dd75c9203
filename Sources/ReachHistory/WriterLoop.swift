import Foundation
import GRDB
import ReachBasics
import ReachMonitoring
import ReachSystem

/// The state of the writer's thread: the file, and what waits to be written.
struct WriterLoop {
    private let job: HistoryWriter.Job
    private var settings: HistorySettings
    private let time: HistoryWriter.Time
    private let report: (HistoryWriter.Message) -> Void
    private let deliver: (StoredPast) -> Void
    private(set) var hasEnded = false
    /// The messages at the end, when nothing shows those of `report` any more.
    private(set) var lastMessages: [String] = []

    private var lock: ProcessLock?
    private var database: HistoryDatabase?
    /// The number of this run in the file; nil before the first commit.
    private var run: Int64?
    /// The targets of this run, and their numbers in the file.
    private var targets: [Target.ID: StoredTarget] = [:]
    private var numbers: [Target.ID: Int64] = [:]
    /// The targets without a number yet.
    private var unnumbered: Set<Target.ID> = []
    /// The targets whose samples count.
    private var probed: Set<Target.ID> = []
    private var collector = MinuteCollector()
    private var pending = PendingRows()
    /// The state of the targets before the pending events.
    private var states = StateEvents()
    private var hasDeliveredPast = false
    /// The next step of the work of each minute; nil after the last one. Inputs are processed between two steps, so that a
    /// change of health waits for one of them at most.
    private var nextStep: MinuteStep?

    /// The wall time of the program's start, by the newest input.
    private var start: Duration
    /// When the inputs were taken, since the start of the program.
    private var elapsed: Duration
    /// When this run began, since 1970. If the clock was set back to a time before that, it is that time.
    private var runStart: Duration
    /// When old rows were removed, since the start of the program.
    private var lastRemoval: Duration
    /// The minute since 1970 until which the work of each minute was done.
    private var minute: Int64
    /// The failure that was reported; nil while the file can be written.
    private var failure: HistoryFailure?
    /// Whether another process writes the history of the same source.
    private var isReader = false
    /// The time of the next try, since the start of the program.
    private var retry: Duration?
    private var filesMovedAside = 0
    /// What happened to the file while it was open; nil after it was reported.
    private var change: String?

    /// The steps of each minute, after its samples were counted.
    private enum MinuteStep {
        /// Write the figures and the samples.
        case write
        /// Move a part of the hours that are over. After the last one, remove old rows.
        case cleanUp
    }

    /// The pause before the next try after a failure.
    private static let retryPause = Duration.seconds(1)
    /// A program that damages its own file again and again has to stop.
    private static let maxFilesMovedAside = 3

    /// - Parameters:
    ///   - start: the wall time of the program's start.
    ///   - elapsed: the time since then.
    init(
        _ job: HistoryWriter.Job,
        settings: HistorySettings,
        time: HistoryWriter.Time,
        startingAt start: Duration,
        elapsed: Duration,
        report: @escaping (HistoryWriter.Message) -> Void,
        deliver: @escaping (StoredPast) -> Void
    ) {
        (self.job, self.settings, self.time, self.report, self.deliver) = (job, settings, time, report, deliver)
        (self.start, self.elapsed) = (start, elapsed)
        runStart = start + elapsed
        lastRemoval = elapsed
        minute = runStart.components.seconds.floorDivided(by: 60)
    }

    /// The wall time when the inputs were taken.
    private var now: Duration { start + elapsed }

    /// When the thread has to wake up without an input, since the start of the program: at once for the next step
    /// of a minute, otherwise a second after the next minute, when nearly all replies of the minute have arrived.
    func nextDeadline() -> Duration {
        guard nextStep == nil else { return elapsed }
        let next = Duration.seconds((minute + 1) * 60 + 1) - start
        return retry.map { min($0, next) } ?? next
    }

    /// Processes inputs.
    ///
    /// - Parameter elapsed: a time since the start of the program before they were taken, so that all samples until then
    ///   are among them.
    mutating func process(_ inputs: [HistoryWriter.Input], at elapsed: Duration) {
        self.elapsed = elapsed
        var waiting: [@Sendable () -> Void] = []
        var (isFlush, isReread) = (false, false)
        for input in inputs {
            switch input {
            case .targets(let new, let time):
                // Those of the first second have been there from the start.
                if time > runStart + .seconds(1) {
                    let added = new.keys.filter { targets[$0] == nil }.sorted()
                    pending.append(added.map { TargetEvent($0, HistoryEvent(.added, at: time)) })
                }
                targets.merge(new) { $1 }
                probed.formUnion(new.keys)
                unnumbered.formUnion(new.keys)
            case .forget(let ids):
                probed.subtract(ids)
            case .events(let events):
                pending.append(events)
            case .samples(let samples, let start):
                if let first = samples.first { noteClock(startingAt: start, now: first.sample.time) }
                let counted = samples.filter { probed.contains($0.target) }
                for minute in collector.add(counted, startingAt: start) { pending.append(minute) }
            case .settings(let new):
                settings = new
            case .afterCommit(let done):
                waiting.append(done)
                isFlush = true
            case .readHooks:
                (isFlush, isReread) = (true, true)
            case .dropped(let events, let samples):
                pending.countDropped(events: events, samples: samples)
            case .close:
                hasEnded = true
            }
        }
        noteClock(startingAt: time.start(), now: elapsed)
        if hasEnded { for minute in collector.removeAll() { pending.append(minute) } }
        let isRetry = retry.map { elapsed >= $0 } ?? true
        let isOpen = database != nil || isReader
        if targets.isEmpty || isReader && hasEnded {
            // Nothing is known yet, or another process has written it.
        } else if isRetry || hasEnded, !pending.isEmpty || nextStep == .write || hasEnded || !isOpen || isFlush {
            commit()
        }
        if isReread { readPast(onlyHooks: true) }
        if hasEnded {
            if !isReader, let text = pending.lossText {
                let reason = failure.map { ": \($0.message)" } ?? ""
                lastMessages.append("history: \(text) could not be written\(reason)")
            }
            database = nil
            lock = nil
        }
        for done in waiting { done() }
        takeStep()
    }

    /// Records that the wall clock was set, if the start of the program has another wall time than before.
    private mutating func noteClock(startingAt new: Duration, now: Duration) {
        let step = new - start
        start = new
        guard step.nanoseconds.magnitude > 1_000_000_000 else { return }
        pending.append([TargetEvent(nil, HistoryEvent(.clock, at: start + now, length: step))])
        runStart = min(runStart, start + now)
        minute = ((start + now).components.seconds).floorDivided(by: 60)
    }

    /// Performs the next step of the work of each minute.
    private mutating func takeStep() {
        let over = now - .seconds(1)
        let current = over.components.seconds.floorDivided(by: 60)
        if hasEnded {
            nextStep = nil
        } else if current > minute {
            minute = current
            for minute in collector.end(before: over) { pending.append(minute) }
            nextStep = .write
        } else if nextStep != nil {
            nextStep = cleanUp() ? .cleanUp : nil
        }
    }

    // MARK: Writing

    /// Writes what is pending. After a failure, it stays pending.
    private mutating func commit() {
        retry = nil
        if let database, !database.isInPlace {
            let isMissing = FileNumber(at: job.path) == nil
            change = isMissing ? "was removed – a new one begins" : "was replaced – the new file is written now"
            // The lock may be in a folder that was removed too.
            forgetFile()
            lock = nil
        }
        do throws(HistoryFailure) {
            guard try takeLock() else { return removePending() }
            try write()
        } catch {
            fail(error)
        }
    }

    /// Takes the right to write. Returns false if another process has it: then this one only reads.
    private mutating func takeLock() throws(HistoryFailure) -> Bool {
        guard lock == nil else { return true }
        do throws(ProcessLock.Refusal) {
            lock = try ProcessLock(ofHistory: job.source, in: job.folder)
            if isReader { report(.init(text: "history: this process writes it now", isProblem: false)) }
            isReader = false
            return true
        } catch {
            switch error {
            case .taken(let process):
                guard !isReader else { return false }
                isReader = true
                let name = process.map { " (process \($0))" } ?? ""
                let text = "reach already runs here\(name): it keeps the history"
                let fix = "for targets that only this one probes, set another XDG_STATE_HOME, or --no-history"
                report(.init(text: "\(text) – \(fix)", isProblem: false))
                readPast()
                return false
            case .failed(let code):
                throw .cannotWrite(inFolder: job.folder, errno: code)
            }
        }
    }

    private mutating func write() throws(HistoryFailure) {
        // At the opening, SQLite ignores such a log.
        if let database, !database.hasIntactLog {
            throw HistoryFailure(.damaged, "\(job.path)-wal was overwritten – move it away")
        }
        let database = try opened()
        self.database = database
        let time = now
        let written = try database.write { try insertPending(at: time, $0) }
        (run, numbers, unnumbered) = (written.run, written.numbers, [])
        if let first = written.renameProblems.first {
            let count = written.renameProblems.count - 1
            let more = count > 0 ? " (and \(count) more renamed target\(count == 1 ? "" : "s"))" : ""
            report(.init(text: "history: \(first)\(more)", isProblem: true))
        }
        let dropped = pending.dropText
        removePending()
        if let dropped {
            reportLoss("history: written again, without \(dropped)")
        } else if failure != nil {
            report(.init(text: "history: written again", isProblem: false))
        }
        failure = nil
        if let change { reportLoss("history: \(job.path) \(change)") }
        change = nil
        if !hasDeliveredPast, !targets.isEmpty { readPast() }
    }

    /// Removes what is pending, after it was written, or since another process writes.
    private mutating func removePending() {
        states.apply(pending.events)
        pending.removeAll()
    }

    /// Inserts all that is pending. A new run begins with the present state of the targets: the program may have begun
    /// earlier.
    ///
    /// - Returns: the number of the run, those of its targets, and the problems of those that were renamed.
    private func insertPending(
        at time: Duration,
        _ database: Database
    ) throws -> (run: Int64, numbers: [Target.ID: Int64], renameProblems: [String]) {
        let number = try run ?? HistoryDatabase.beginRun(database, of: job.source, version: job.version, at: runStart)
        // The retention clock begins before this run is recorded.
        if run == nil { _ = try HistoryDatabase.retentionTime(in: number, after: .zero, at: time, database) }
        var known = numbers
        var renameProblems: [String] = []
        for id in unnumbered.sorted() {
            guard let target = targets[id] else { continue }
            if let problem = try HistoryDatabase.problem(ofRenamed: target, database) { renameProblems.append(problem) }
            known[id] = try HistoryDatabase.number(of: target, database)
        }
        for event in (run == nil ? states.all : []) + pending.events {
            let target = event.target.flatMap { known[$0] }
            guard event.target == nil || target != nil else { continue }
            try HistoryDatabase.insert(event.event, of: target, in: number, database)
        }
        for (minute, figures) in pending.minutes {
            let stored = figures.compactMap { id, one in known[id].map { (target: $0, figures: one) } }
            if !stored.isEmpty { try HistoryDatabase.insert(stored, minute: minute, database) }
        }
        for (start, samples) in pending.samples {
            var writer = SampleBlocks.Writer(after: time - start)
            samples.forEach(by: { known[$0] }) { writer.append($1, of: $0) }
            if !writer.bytes.isEmpty { try HistoryDatabase.insert(writer.bytes, in: number, at: time, database) }
        }
        try HistoryDatabase.updateRun(database, number, from: runStart, at: time, isEnd: hasEnded)
        return (number, known, renameProblems)
    }

    /// Moves a part of the hours that are over. If there is none, removes old rows. Returns whether there may be more.
    private mutating func cleanUp() -> Bool {
        guard let database, let run, failure == nil, !isReader else { return false }
        let (hour, time, kept, lived) = (minute.floorDivided(by: 60), now, settings, elapsed - lastRemoval)
        do throws(HistoryFailure) {
            guard try !database.write({ try HistoryDatabase.endHour(before: hour, $0) }) else { return true }
            _ = try database.write { connection in
                let limit = try HistoryDatabase.retentionTime(in: run, after: lived, at: time, connection)
                return try HistoryDatabase.removeOldRows(kept, at: limit, connection)
            }
            lastRemoval = elapsed
            _ = try database.write { try HistoryDatabase.returnFreePages($0) }
        } catch {
            fail(error)
        }
        return false
    }

    /// - Parameter onlyHooks: Whether only the hook runs are read: those of another process until now.
    private mutating func readPast(onlyHooks: Bool = false) {
        guard !targets.isEmpty, let file = try? database ?? HistoryDatabase(path: job.path, for: .read) else { return }
        hasDeliveredPast = true
        let past = try? file.past(
            of: targets,
            from: job.source,
            before: run,
            startingAt: start,
            at: now,
            withSamples: job.readsSamples && !onlyHooks
        )
        guard var past else { return }
        past.isOver = !isReader
        if onlyHooks { (past.events, past.lastSeen) = ([], [:]) }
        deliver(past)
    }

    // MARK: The file

    private func opened() throws(HistoryFailure) -> HistoryDatabase {
        if let database { return database }
        return try HistoryDatabase(path: job.path, for: .write)
    }

    private mutating func forgetFile() {
        database = nil
        run = nil
        numbers = [:]
        unnumbered = Set(targets.keys)
    }

    /// Reports a failure once, and decides how to go on.
    private mutating func fail(_ new: HistoryFailure) {
        let isMovable = new.kind == .damaged && filesMovedAside < Self.maxFilesMovedAside
        if isMovable, let aside = moveAside() {
            reportLoss("history: \(new.message.dropFix), moved to \(aside); a new one begins")
            return commit()
        }
        if failure?.kind != new.kind { report(.init(text: new.description, isProblem: true)) }
        failure = new
        retry = elapsed + (new.kind == .newer ? .seconds(60) : Self.retryPause)
    }

    /// Reports that records are lost, also at the end.
    private mutating func reportLoss(_ text: String) {
        if hasEnded { lastMessages.append(text) } else { report(.init(text: text, isProblem: true)) }
    }

    /// Renames the file and SQLite's files beside it. Returns the new path.
    private mutating func moveAside() -> String? {
        forgetFile()
        filesMovedAside += 1
        // The message of the damage says it.
        change = nil
        let aside = "\(job.path).damaged-\(now.components.seconds)-\(filesMovedAside)"
        guard rename(job.path, aside) == 0 else { return nil }
        for suffix in ["-wal", "-shm"] { _ = rename(job.path + suffix, aside + suffix) }
        return aside
    }
}

extension String {
    /// A message without its fix.
    fileprivate var dropFix: String {
        firstRange(of: " – ").map { String(self[..<$0.lowerBound]) } ?? self
    }
}
