import ArgumentParser
import Foundation
import ReachHistory
import ReachMonitoring
import ReachReporting
import ReachSettings

/// `reach shifts`: the lasting changes of latency and loss that settings would have reported.
struct ShiftsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shifts",
        abstract: "Print the lasting changes of latency and loss in the history, to choose the settings of shifts.",
        usage: """
            reach shifts                              all targets, the last 7 days
            reach shifts NAS --since 30d              one target, as far as minutes are stored
            reach shifts --at-least "50 %" --and 20ms what these limits would have reported
            reach shifts --json | jq .change
            """,
        discussion: """
            The stored minutes are searched again with the limits of the settings, or those given here. Changes are dated to \
            the minute, and those of less than about five minutes are missed: while reach runs, it sees each reply. The last \
            line says how many changes a week a target would have reported.
            Exit status: 0 printed, 2 usage error, or the history cannot be read.
            """
    )

    @Argument(
        help: ArgumentHelp("Name or URL of a target, @NAME or @group:NAME. (default: all)", valueName: "target"),
        completion: .custom(TargetCompletion.targetArguments)
    )
    var targets: [String] = []

    @Option(
        help: ArgumentHelp(
            "Start: a time before now, such as 24h or 7d, or a date, such as 2026-11-01.",
            valueName: "time"
        )
    )
    var since = "7d"

    @Option(
        help: ArgumentHelp(
            "Smallest change, relative to the lower level, such as \"20 %\". (default: at_least of the settings)",
            valueName: "share"
        )
    )
    var atLeast: String?

    @Option(
        help: ArgumentHelp(
            "Smallest change of latency in time, such as 5ms. Both must be reached. (default: and of the settings)",
            valueName: "time"
        )
    )
    var and: String?

    @Flag(help: "Print a JSON object for each change.")
    var json = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Settings file. (default: dashboard.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    func validate() throws {
        _ = try (Self.share(atLeast), Self.time(and))
    }

    func run() throws {
        let (share, least) = try (Self.share(atLeast), Self.time(and))
        // A file that is given must be valid.
        let settings = try config == nil ? (try? TargetSource.settings(of: nil)) : TargetSource.settings(of: config)
        let now = Duration.seconds(Date().timeIntervalSince1970)
        let start = try ReportCommand.times(since, before: now, of: "--since").lowerBound
        guard start < now else {
            throw StartupError("--since \(since): not in the past – such as 24h, 7d or 2026-11-01")
        }
        let database = try HistoryDatabase.opened(for: .read)
        do {
            let rows =
                try targets.isEmpty ? database.targets() : ReportCommand.chosen(targets, from: database)
            let own = Dictionary((settings?.targets ?? []).map { ($0.label, $0.shifts) }) { first, _ in first }
            var total = Total()
            for row in rows {
                // Limits that are given here are to be tried also for a target without reports.
                if case .some(nil) = own[row.name], share == nil, least == nil {
                    StandardStreams.printMessage("\(row.name.printable): shifts = false in the settings")
                    continue
                }
                var limits = own[row.name].flatMap(\.self) ?? ShiftSettings()
                if let share { limits.atLeast = share }
                if let least { limits.and = least }
                try print(row, from: start, until: now, under: limits, in: database, to: &total)
            }
            guard total.minutes > 0 else {
                StandardStreams.printMessage("no minutes of these targets are stored in this period")
                return
            }
            if total.tooFew > 0 {
                let targets = total.tooFew == 1 ? "1 target has" : "\(total.tooFew) targets have"
                StandardStreams.printMessage(
                    "\(targets) fewer than \(ShiftReplay.leastMinutes) minutes, from which a level is known"
                )
            }
            if !json { try StandardStreams.print(total.summary) }
        } catch let failure as HistoryFailure {
            throw StartupError(failure.description)
        }
    }

    /// The changes of all targets.
    private struct Total {
        var changes = 0
        var minutes = 0
        /// The targets whose minutes do not suffice to know a level.
        var tooFew = 0

        /// The number of changes, and how many that are for each target and week.
        var summary: String {
            let weeks = Double(minutes) / (7 * 24 * 60)
            let rate = Int((Double(changes) / weeks * 10).rounded())
            let number = changes == 1 ? "1 change" : "\(changes) changes"
            let span = Duration.seconds(minutes * 60).spanText
            return "\(number) in \(span) of probing of all targets: \(rate / 10).\(rate % 10) a target and week"
        }
    }

    /// Prints the changes of a target.
    private func print(
        _ row: TargetRow,
        from start: Duration,
        until end: Duration,
        under limits: ShiftSettings,
        in database: HistoryDatabase,
        to total: inout Total
    ) throws {
        // The week before has the levels that are usual for the hours of the day.
        let first = start - StoredLevels.span
        var replay = ShiftReplay(under: limits, startingAt: first, zone: .local())
        var shifts: [StoredShift] = []
        for (number, figures) in try database.minutes(of: row, from: first, until: end) {
            let isShown = Duration.seconds(number * 60) >= start
            if isShown, figures.sent > 0 { total.minutes += 1 }
            for shift in replay.add(figures, ofMinute: number) where isShown {
                // A correction has the time of the change that it corrects.
                shifts.removeAll { $0.began == shift.began && $0.change.isOfLevel == shift.change.isOfLevel }
                shifts.append(shift)
            }
        }
        total.changes += shifts.count
        if (1..<ShiftReplay.leastMinutes).contains(replay.minutes) { total.tooFew += 1 }
        for shift in shifts {
            let time = ReportCommand.localTime(shift.began)
            let line = "\(time)  \(row.name.printable)  \(shift.words.printable)"
            try StandardStreams.print(json ? ShiftRecord(shift, of: row.name).json : line, isData: json)
        }
    }

    private static func share(_ text: String?) throws -> Double? {
        guard let text else { return nil }
        let option = "--at-least \(text.printable)"
        guard let share = ShiftSettings.share(text: text) else {
            let hint = ShiftSettings.shareHint(for: text) ?? "such as \"20 %\""
            throw ValidationError("\(option): invalid share – \(hint)")
        }
        guard ShiftSettings.shares.contains(share) else {
            throw ValidationError("\(option): out of range – from \"1 %\" to \"10000 %\"")
        }
        return share
    }

    private static func time(_ text: String?) throws -> Duration? {
        guard let text else { return nil }
        let longest = ShiftSettings.times.upperBound
        if let time = Duration(text: text), time > longest {
            throw ValidationError("--and \(text.printable): out of range – at most \(longest.settingsText)")
        }
        guard let time = Duration(text: text) else {
            let guess = Double(text).map { _ in "did you mean \(text)ms?" }
            throw ValidationError("--and \(text.printable): invalid time – \(guess ?? "such as 5ms")")
        }
        return time
    }
}
