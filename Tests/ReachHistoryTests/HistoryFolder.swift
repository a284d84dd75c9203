import Dispatch
import Foundation
import GRDB
import ReachHistory
import ReachMonitoring
import Synchronization

/// A folder for a history, removed with the last reference, and a clock that a test sets.
final class HistoryFolder: Sendable {
    let path: String
    private let clock = Mutex((start: Duration.seconds(1_800_000_000), now: Duration.zero))

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of the history.
    var file: String { "\(path)/history.sqlite" }

    var time: HistoryWriter.Time {
        HistoryWriter.Time(
            start: { [self] in clock.withLock { $0.start } },
            now: { [self] in clock.withLock { $0.now } }
        )
    }

    var wall: WallTime { WallTime(start: clock.withLock { $0.start }) }

    var now: Duration { clock.withLock { $0.now } }

    func advance(by span: Duration) {
        clock.withLock { $0.now += span }
    }

    /// Sets the wall clock forward or back.
    func setClock(by span: Duration) {
        clock.withLock { $0.start += span }
    }

    /// Begins a run of the program: its time begins at zero.
    func restart(after pause: Duration) {
        clock.withLock { $0 = ($0.start + $0.now + pause, .zero) }
    }

    /// A writer of the history.
    func writer(
        _ source: String = "dashboard.toml",
        settings: HistorySettings = HistorySettings(),
        readsSamples: Bool = true
    ) -> HistoryWriter {
        HistoryWriter(
            HistoryWriter.Job(path: file, source: source, version: "1.0", readsSamples: readsSamples),
            settings: settings,
            time: time
        )
    }

    /// The rows of a query, by another connection.
    func rows(_ sql: String) throws -> [Row] {
        try DatabaseQueue(path: file).read { try Row.fetchAll($0, sql: sql) }
    }

    /// The texts of a query; an empty one for NULL.
    func texts(_ sql: String) throws -> [String] {
        try DatabaseQueue(path: file).read { try (String?).fetchAll($0, sql: sql) }.map { $0 ?? "" }
    }

    /// The first number of a query.
    func number(_ sql: String) throws -> Int? {
        try DatabaseQueue(path: file).read { try Int.fetchOne($0, sql: sql) }
    }
}

extension HistoryWriter {
    /// Waits until all inputs so far are written, or cannot be written now, and until the steps of a minute that is over
    /// are done: one in each turn of the thread.
    func flush() {
        for _ in 0..<10 {
            let done = DispatchSemaphore(value: 0)
            afterCommit { done.signal() }
            done.wait()
        }
    }
}

/// A roster of one or more targets, whose changes a writer records.
struct RecordedRoster {
    let folder: HistoryFolder
    let writer: HistoryWriter
    var roster = Roster()
    private var sequence = 0

    init(
        _ names: [String],
        _ folder: HistoryFolder,
        _ writer: HistoryWriter,
        formerly: String? = nil,
        hooks: [HookRule] = []
    ) {
        (self.folder, self.writer) = (folder, writer)
        apply(names, formerly: formerly, hooks: hooks)
    }

    /// Applies settings with these targets.
    mutating func apply(_ names: [String], port: UInt16 = 445, formerly: String? = nil, hooks: [HookRule] = []) {
        let targets = names.map { name in
            var target = Target(name: name, question: .tcp(host: "nas.local", port: port), interval: .seconds(1))
            target.formerly = formerly
            target.hooks = hooks
            return target
        }
        record(roster.apply(Settings(targets: targets), at: folder.now))
    }

    func id(_ name: String) -> Target.ID? {
        roster.states.first { $0.target.name == name }?.id
    }

    func record(_ consequences: Consequences) {
        writer.record(consequences, at: folder.now, wall: folder.wall, redaction: Redaction())
    }

    /// Records one outcome of a target each second.
    mutating func probe(_ name: String, _ outcomes: [Outcome]) {
        guard let id = id(name) else { return }
        for outcome in outcomes {
            folder.advance(by: .seconds(1))
            sequence += 1
            let observation = Observation(target: id, sequence: sequence, time: folder.now, outcome: outcome)
            let findings = [Finding.observation(observation)]
            writer.record(findings, wall: folder.wall)
            record(roster.record(findings))
        }
    }
}

extension [Outcome] {
    static func replies(_ count: Int) -> [Outcome] {
        [Outcome](repeating: .reply(roundTrip: .milliseconds(2)), count: count)
    }

    static func losses(_ count: Int) -> [Outcome] {
        [Outcome](repeating: .failure(Failure(.refused)), count: count)
    }
}
