import Dispatch
import Foundation
package import ReachMonitoring
import Synchronization

/// Writes the history of one run of the program, on a thread of its own: no caller waits for the disk.
///
/// Inputs wait in a bounded queue. Events are committed at once, figures once a minute. While the file cannot be written,
/// the writer keeps what it has and tries again; ``PendingRows`` says what is dropped first.
package final class HistoryWriter: Sendable {
    /// A message for the user.
    package struct Message: Sendable, Hashable {
        package let text: String
        package let isProblem: Bool
    }

    /// The clocks of the program.
    package struct Time: Sendable {
        /// The wall time of the program's start, since 1970, by the present clock.
        package let start: @Sendable () -> Duration
        /// The time since the start.
        package let now: @Sendable () -> Duration

        package init(start: @escaping @Sendable () -> Duration, now: @escaping @Sendable () -> Duration) {
            (self.start, self.now) = (start, now)
        }
    }

    /// Where and what a writer writes.
    package struct Job: Sendable {
        /// The path of the file.
        package let path: String
        /// What the targets are from: the path of the settings file, or the arguments.
        package let source: String
        /// The version of the program.
        package let version: String
        /// Whether the program shows the stored samples: those of ten thousand targets take hundreds of megabytes.
        package let readsSamples: Bool

        package init(path: String, source: String, version: String, readsSamples: Bool = true) {
            (self.path, self.source, self.version, self.readsSamples) = (path, source, version, readsSamples)
        }

        /// The folder of the file.
        var folder: String {
            path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        }
    }

    enum Input: Sendable {
        /// These targets are probed from now on, a time since 1970.
        case targets([Target.ID: StoredTarget], Duration)
        /// These targets are not probed any more.
        case forget([Target.ID])
        case events([TargetEvent])
        /// Samples, and the wall time of the program's start.
        case samples([(target: Target.ID, sample: Sample)], Duration)
        case settings(HistorySettings)
        /// Write everything, and call.
        case afterCommit(@Sendable () -> Void)
        /// So many events and samples were dropped, since the disk did not respond.
        case dropped(events: Int, samples: Int)
        /// Write the history if no other process does, and read its hook runs again.
        case readHooks
        /// Write everything, and end.
        case close
    }

    /// The messages, for one consumer.
    package let messages: AsyncStream<Message>
    /// The stored past of the targets, once it was read; for one consumer.
    package let past: AsyncStream<StoredPast>
    /// The messages at the end: what happened to the file, and what could not be written.
    private let ends: AsyncStream<[String]>
    private let end: AsyncStream<[String]>.Continuation
    private let queue = Mutex(InputQueue())
    private let wakeUp = DispatchSemaphore(value: 0)

    /// Starts the thread.
    package init(_ job: Job, settings: HistorySettings, time: Time) {
        let message: AsyncStream<Message>.Continuation
        (messages, message) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
        let found: AsyncStream<StoredPast>.Continuation
        (past, found) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (ends, end) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (start, elapsed) = (time.start(), time.now())
        let thread = Thread { [self] in
            var writing = WriterLoop(
                job,
                settings: settings,
                time: time,
                startingAt: start,
                elapsed: elapsed,
                report: { message.yield($0) },
                deliver: { found.yield($0) }
            )
            while !writing.hasEnded {
                wait(until: writing.nextDeadline(), by: time)
                let now = time.now()
                writing.process(queue.withLock { $0.removeAll() }, at: now)
            }
            message.finish()
            found.finish()
            end.yield(writing.lastMessages)
        }
        thread.name = "reach.history"
        thread.start()
    }

    /// Waits for inputs, or until a time since the start of the program.
    private func wait(until deadline: Duration, by time: Time) {
        let wait = max(.zero, deadline - time.now())
        _ = wakeUp.wait(timeout: .now() + .milliseconds(Int(min(wait, .seconds(60)).milliseconds) + 1))
    }

    /// Adds an input.
    ///
    /// - Returns: whether it is in the queue.
    @discardableResult
    private func enqueue(_ input: Input) -> Bool {
        let (isQueued, wakesThread) = queue.withLock { $0.append(input) }
        if wakesThread { wakeUp.signal() }
        return isQueued
    }

    /// Records the consequences of a change of the roster.
    package func record(_ consequences: Consequences, at now: Duration, wall: WallTime, redaction: Redaction) {
        let events = TargetEvent.events(of: consequences, at: now, wall: wall, redaction: redaction)
        // First what was removed, since another target may continue its history.
        let removed = events.filter { $0.event.kind == .removed }
        if !removed.isEmpty { enqueue(.events(removed)) }
        for request in consequences.requests {
            switch request {
            case .watch(let assignments):
                // Another shard keeps the history of its targets.
                let own = assignments.filter { !$0.target.isOfOtherShard }
                let targets = own.map { ($0.id, StoredTarget($0.target, redaction: redaction)) }
                enqueue(.targets(Dictionary(targets) { _, new in new }, wall.start + now))
            case .forget(let ids):
                enqueue(.forget(ids))
            case .now, .pace:
                break
            }
        }
        let others = events.filter { $0.event.kind != .removed }
        if !others.isEmpty { enqueue(.events(others)) }
    }

    /// Records the end of a hook run.
    package func record(_ report: HookReport, at now: Duration, wall: WallTime, redaction: Redaction) {
        let event = TargetEvent(report, at: now, wall: wall, redaction: redaction)
        if let event { enqueue(.events([event])) }
    }

    /// Records finished probes. Those of targets that are not probed are ignored.
    package func record(_ findings: [Finding], wall: WallTime) {
        var samples: [(target: Target.ID, sample: Sample)] = []
        samples.reserveCapacity(findings.count)
        for case .observation(let observation) in findings {
            if let sample = Sample(observation) { samples.append((observation.target, sample)) }
        }
        if !samples.isEmpty { enqueue(.samples(samples, wall.start)) }
    }

    /// Changes how long rows are kept.
    package func apply(_ settings: HistorySettings) {
        enqueue(.settings(settings))
    }

    /// Reads the hook runs that another process has recorded; they follow in ``past``. If that process has ended, this one
    /// writes the history from now on.
    package func readHooks() {
        enqueue(.readHooks)
    }

    /// Calls a closure on the thread when all inputs so far are written, or cannot be written now. Calls it at once after
    /// ``close()``, and while the disk does not respond.
    package func afterCommit(_ body: @escaping @Sendable () -> Void) {
        if !enqueue(.afterCommit(body)) { body() }
    }

    /// Writes everything and ends the thread. Waits at most three seconds for a disk that does not respond.
    ///
    /// - Returns: messages about what happened to the file at the end, and what could not be written.
    @discardableResult
    package func close() async -> [String] {
        enqueue(.close)
        let limit = Task { [end] in
            try? await Task.sleep(for: .seconds(3))
            end.yield(["history: the disk does not respond – what was not written is lost"])
        }
        defer { limit.cancel() }
        return await ends.first { _ in true } ?? []
    }
}

/// The inputs that wait for the writer's thread. A disk that does not respond may block the thread for hours, so the
/// queue is bounded: new samples and events are dropped, and counted. Changes of the targets are always kept.
struct InputQueue {
    private var inputs: [HistoryWriter.Input] = []
    private var samples = 0
    /// The events and closures.
    private var events = 0
    private var dropped = (events: 0, samples: 0)
    /// The wall time of the program's start in the newest samples.
    private var start: Duration?
    private var isClosed = false

    /// The samples of three minutes of ten thousand targets.
    static let maxSamples = 2_000_000
    static let maxEvents = 100_000

    /// Adds an input. Samples wake the thread only when many wait, or when the clock was set.
    mutating func append(_ input: HistoryWriter.Input) -> (isQueued: Bool, wakesThread: Bool) {
        guard !isClosed else { return (false, false) }
        var wakesThread = true
        switch input {
        case .samples(let new, let start):
            guard samples + new.count <= Self.maxSamples else {
                dropped.samples += new.count
                return (false, false)
            }
            let isClockSet = self.start.map { ($0 - start).nanoseconds.magnitude > 1_000_000_000 } ?? false
            wakesThread = isClockSet || (samples + new.count) / 10_000 > samples / 10_000
            samples += new.count
            self.start = start
        case .events(let new):
            guard events + new.count <= Self.maxEvents else {
                dropped.events += new.count
                return (false, false)
            }
            events += new.count
        case .afterCommit:
            guard events < Self.maxEvents else { return (false, false) }
            events += 1
        case .close:
            isClosed = true
        case .targets, .forget, .settings, .dropped, .readHooks:
            break
        }
        inputs.append(input)
        return (true, wakesThread)
    }

    /// Removes and returns the inputs, with the numbers of those that were dropped.
    mutating func removeAll() -> [HistoryWriter.Input] {
        defer { (inputs, samples, events, dropped) = ([], 0, 0, (0, 0)) }
        return dropped == (0, 0) ? inputs : inputs + [.dropped(events: dropped.events, samples: dropped.samples)]
    }
}

/// The rows that wait to be written. They are bounded, so that a file that cannot be written for hours takes little memory:
/// old samples are dropped first, then old minutes, and new events last.
struct PendingRows {
    private(set) var events: [TargetEvent] = []
    private(set) var minutes: [(number: Int64, figures: [(target: Target.ID, figures: ProbeFigures)])] = []
    private(set) var samples: [(start: Duration, samples: CompactSamples)] = []
    /// What was dropped.
    private var dropped = (events: 0, samples: 0, minutes: 0)

    private static let maxEvents = 100_000
    private static let maxMinutes = 60
    private static let maxSamples = 5

    var isEmpty: Bool { events.isEmpty && minutes.isEmpty && samples.isEmpty }

    mutating func append(_ new: [TargetEvent]) {
        let capacity = max(0, Self.maxEvents - events.count)
        events += new.prefix(capacity)
        dropped.events += max(0, new.count - capacity)
    }

    /// Counts what an ``InputQueue`` dropped.
    mutating func countDropped(events: Int, samples: Int) {
        dropped.events += events
        dropped.samples += samples
    }

    mutating func append(_ minute: MinuteCollector.Minute) {
        var figures: [(target: Target.ID, figures: ProbeFigures)] = []
        minute.samples.forEach(by: { Int64($0.rawValue) }) { figures.append((Target.ID(Int($0)), ProbeFigures($1))) }
        minutes.append((minute.number, figures))
        samples.append((minute.start, minute.samples))
        if minutes.count > Self.maxMinutes {
            minutes.removeFirst()
            dropped.minutes += 1
        }
        if samples.count > Self.maxSamples { samples.removeFirst() }
    }

    /// Removes everything after it was written.
    mutating func removeAll() {
        self = PendingRows()
    }

    /// What was dropped, in words; nil if nothing was.
    var dropText: String? { Self.text(events: dropped.events, samples: dropped.samples, minutes: dropped.minutes) }

    /// What was dropped or waits, in words; nil if there is nothing.
    var lossText: String? {
        Self.text(
            events: dropped.events + events.count,
            samples: dropped.samples,
            minutes: dropped.minutes + minutes.count
        )
    }

    private static func text(events: Int, samples: Int, minutes: Int) -> String? {
        let parts = [
            events > 0 ? "\(events) event\(events == 1 ? "" : "s")" : nil,
            samples > 0 ? "\(samples) probe\(samples == 1 ? "" : "s")" : nil,
            minutes > 0 ? "the figures of \(minutes) minute\(minutes == 1 ? "" : "s")" : nil,
        ]
        let text = parts.compactMap(\.self).joined(separator: " and ")
        return text.isEmpty ? nil : text
    }
}
