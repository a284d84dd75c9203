import ArgumentParser
import Foundation
import ReachHistory
import ReachKit
import ReachMonitoring
import ReachReporting
import ReachSettings
import ReachSystem

/// `reach incident`: writes what the history has of a time into a file that another machine can show.
struct IncidentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "incident",
        abstract: "Write a time of the history into a file, which reach open shows.",
        usage: """
            reach incident                              now, and the hour before
            reach incident NAS --at 12:25 -o nas.jsonl  how it was for NAS at 12:25
            reach incident --at "yesterday 14:00"
            reach open nas.jsonl                        the screen of then, on any machine
            reach diff before.jsonl after.jsonl         what a change broke
            """,
        discussion: """
            The file has the state of all targets of the settings, their events and paths, and the probes of each minute for \
            the targets that are named; without names, for those that were not up. It is JSON lines, as of reach history \
            --export jsonl, after a first line about the file. Secrets are left out, as in the history.
            Exit status: 0 done, 1 the file cannot be written, 2 usage error, or the history has nothing of that time.
            """
    )

    @Argument(
        help: ArgumentHelp("Targets by name, URL or @group:NAME whose minutes are in the file.", valueName: "target")
    )
    var targets: [String] = []

    @Option(help: ArgumentHelp("Time of the incident: \(PastTime.examples).", valueName: "time"))
    var at = "now"

    @Option(help: ArgumentHelp("Time before it that the file has.", valueName: "duration"))
    var before = "1h"

    @Option(help: ArgumentHelp("Time after it that the file has.", valueName: "duration"))
    var after = "1h"

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "File to write; - is standard output. (default: reach-incident-DATE-TIME.jsonl)",
            valueName: "file"
        )
    )
    var output: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Settings file. (default: dashboard.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    func run() throws {
        let now = Duration.seconds(Date().timeIntervalSince1970)
        let zone = ZoneOffsets.local()
        let time = try ReportCommand.times(at, before: now, of: "--at", zone: zone).upperBound
        guard time <= now else {
            throw StartupError("--at \(at.printable): not in the past – such as \(PastTime.examples)")
        }
        let (before, after) = (try Self.span(before, of: "--before"), try Self.span(after, of: "--after"))
        let settings = try TargetSource.settings(of: config) ?? Settings(targets: [])
        do {
            let database = try HistoryDatabase.opened(for: .read)
            let text = try IncidentText(
                of: database,
                settings.targets,
                settings.redaction,
                names: targets,
                at: time,
                before: before,
                after: after,
                now: now,
                zone: zone
            )
            let path = output ?? "reach-incident-\(text.stamp).jsonl"
            guard path != "-" else { return try StandardStreams.print(text.lines, isData: true) }
            if let problem = PictureFile.create(path, with: text.lines + "\n", mode: IncidentText.mode) {
                StandardStreams.printMessage("\(path.printable): \(problem)")
                throw ExitCode(1)
            }
            StandardStreams.printMessage("\(path): \(text.summary)")
        } catch let failure as HistoryFailure {
            throw StartupError(failure.description)
        }
    }

    private static func span(_ text: String, of option: String) throws(StartupError) -> Duration {
        guard let span = Duration(text: text), span <= .seconds(86_400) else {
            throw StartupError("\(option) \(text.printable): \(text.durationProblem ?? "at most 24h") – such as 1h")
        }
        return span
    }
}

/// A file about an incident as text.
struct IncidentText {
    let lines: String
    /// The local time of the incident for the name of the file.
    let stamp: String
    /// What the file has.
    let summary: String

    /// The permissions of a file: as those of the history.
    static let mode: mode_t = 0o600

    /// Reads the history.
    ///
    /// - Parameters:
    ///   - settings: the targets in the file; empty for all of the history.
    ///   - redaction: removes secrets, as in the stored targets.
    ///   - names: the targets whose minutes are in the file; empty for those that were not up.
    init(
        of database: HistoryDatabase,
        _ settings: [Target],
        _ redaction: Redaction,
        names: [String],
        at time: Duration,
        before: Duration,
        after: Duration,
        now: Duration,
        zone: ZoneOffsets
    ) throws {
        let chosen = try ReportCommand.chosen(names, from: database)
        guard let known = try database.range(at: now), known.contains(time) else {
            let range = try database.range(at: now).map { known in
                "it has \(ReportCommand.localTime(known.lowerBound)) to \(ReportCommand.localTime(known.upperBound))"
            }
            throw StartupError(
                "--at: the history has nothing of \(ReportCommand.localTime(time)) – \(range ?? "it is empty")"
            )
        }
        let all = try database.targets()
        let rows = Dictionary(all.map { (StoredTarget(name: $0.name, url: $0.url), $0) }) { first, _ in first }
        var targets: [(row: TargetRow, target: Target?)] = []
        for target in settings {
            let stored = StoredTarget(target, redaction: redaction)
            if let row = rows[StoredTarget(name: stored.name, url: stored.url)] { targets.append((row, target)) }
        }
        if targets.isEmpty { targets = all.map { ($0, nil) } }
        targets += chosen.filter { row in !targets.contains { $0.row.id == row.id } }.map { ($0, nil) }
        let numbers = Set(chosen.isEmpty ? try database.failing(at: time, of: targets.map(\.row.id)) : chosen.map(\.id))
        let wanted = max(known.lowerBound, time - before)...max(time, min(known.upperBound, time + after))
        let range = try database.limited(wanted, around: time)
        let period = IncidentPeriod(
            at: time,
            in: range,
            of: targets.map { (number: $0.row.id, hasMinutes: numbers.contains($0.row.id)) }
        )
        var records: [String] = []
        let events = try database.export(period) { records.append(HistoryRecord($0).json) }
        let header = IncidentHeader(
            at: time,
            in: range,
            of: targets.map { IncidentHeader.IncidentTarget($0.row, $0.target) },
            zone: zone,
            records: records.count,
            version: Reach.version
        )
        lines = ([header.json] + records).joined(separator: "\n")
        stamp = zone.stamp(of: time)
        let size = Duration.seconds(Double(lines.utf8.count) / 1_000).decimal(.seconds(1), places: 0)
        summary =
            "\(targets.count) \(targets.count == 1 ? "target" : "targets"), \(events) events at \(ReportCommand.localTime(time)), \(size) kB"
    }
}

extension IncidentHeader.IncidentTarget {
    /// Creates a target of the history.
    ///
    /// - Parameter target: the target of the settings; nil if they lack it.
    fileprivate init(_ row: TargetRow, _ target: Target?) {
        let settings = target ?? Target(name: row.name, question: .tcp(host: "", port: 1))
        self.init(
            target: row.name,
            url: row.url,
            group: target?.group ?? row.group,
            interval: settings.interval,
            timeout: settings.timeout,
            slow: settings.thresholds.slow
        )
    }
}
