import ArgumentParser
import Foundation
import ReachHistory
import ReachMonitoring
import ReachReporting
import ReachSettings
import ReachSystem

/// `reach report`: availability and round trips from the history.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Print availability, outages and round trips from the history.",
        usage: """
            reach report                              the targets of the settings, the last 30 days
            reach report NAS @group:Home              these targets
            reach report --sort outages --top 10      those with the most outages
            reach report --since 2026-11-01 --until 2026-12-01
            reach report --since 24h --format markdown > report.md
            reach report --title "Network, November" --format html > report.html
                                                      a page for a browser or a printer, with strips
            reach report --format json | jq '.targets[].availability'
            """,
        discussion: """
            reach and reach watch write the history while they run. The targets are those of the settings, in their order \
            and groups; without settings, all targets in the history. Availability is the time up or degraded in the \
            time up, degraded or down. Time unknown, blocked, paused, in maintenance or unwatched counts as neither, \
            unless --count-unknown-as down is given, which does not concern maintenance. An outage begins when its \
            first lost probe was sent, and ends with the first reply.
            Exit status: 0 printed, 2 usage error, or the history cannot be read.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Name or URL of a target, @NAME or @group:NAME. (default: those of the settings)",
            valueName: "target"
        ),
        completion: .custom(TargetCompletion.targetArguments)
    )
    var targets: [String] = []

    @Option(
        help: ArgumentHelp(
            "Start: a time before now, such as 24h or 30d, today, yesterday, or a date, such as 2026-11-01 or 2026-11-01T12:00.",
            valueName: "time"
        )
    )
    var since = "30d"

    @Option(help: ArgumentHelp("End, in the same notation, or now. (default: now)", valueName: "time"))
    var until: String?

    @Option(
        name: .customLong("format"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Output format: table, markdown, csv, json or html. (default: table)",
            valueName: "format"
        ),
        completion: .list(ReportFormat.allCases.map(\.rawValue)),
        transform: ReportFormat.argument
    )
    var formats: [ReportFormat] = []

    @Option(
        help: ArgumentHelp(
            "Order of the targets: settings, name, availability, outages, down, degraded, p95 or loss. (default: settings)",
            valueName: "order"
        ),
        completion: .list(ReportOrder.allCases.map(\.rawValue)),
        transform: ReportOrder.argument
    )
    var sort: ReportOrder?

    @Option(help: ArgumentHelp("Number of targets in the table; by availability without --sort.", valueName: "count"))
    var top: Int?

    @Flag(help: "Add the targets in the history that the settings lack.")
    var allKnown = false

    @Option(help: ArgumentHelp("Title of the report. (default: Availability)", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp("Count time without a verdict as down.", valueName: "down"),
        completion: .list(["down"])
    )
    var countUnknownAs: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Settings file, for targets and their groups. (default: dashboard.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    func validate() throws {
        guard formats.count <= 1 else { throw ValidationError("--format can be given once only") }
        if let top, top < 1 { throw ValidationError("--top \(top): out of range – at least 1") }
        guard targets.isEmpty || !allKnown else { throw ValidationError("--all-known cannot be combined with targets") }
        if let countUnknownAs, countUnknownAs != "down" {
            throw ValidationError("--count-unknown-as \(countUnknownAs): unknown – use down")
        }
    }

    func run() throws {
        let format = formats.first ?? .table
        let known = try KnownTargets(of: config, isNeeded: targets.isEmpty)
        let now = Duration.seconds(Date().timeIntervalSince1970)
        // The history has nothing after now.
        var end = min(now, try until.map { try Self.times($0, before: now, of: "--until").upperBound } ?? now)
        var start = try Self.times(since, before: now, of: "--since").lowerBound
        guard start < end else {
            let problem = start < now ? "not before the end of the period" : "not in the past"
            throw StartupError("--since \(since): \(problem) – such as 24h, 30d or 2026-11-01")
        }
        let database = try HistoryDatabase.opened(for: .read)
        var report: HistoryReport
        do {
            // While the program runs, the time after its last record is not known yet.
            if let last = try database.lastRecordOfRunning(at: now), last < end {
                if until == nil, Duration(text: since) != nil { start -= end - last }
                if start < last { end = last }
            }
            let chosen =
                try targets.isEmpty
                ? known?.rows(in: database)
                : Self.chosen(targets, from: database, known: known)
                    .map { known?.requiring($0) ?? $0 }
            report = try database.report(
                of: chosen,
                withOthers: allKnown ? true : nil,
                from: start,
                until: end,
                countingUnknownAsDown: countUnknownAs != nil,
                order: sort ?? (top != nil ? .availability : chosen == nil ? .name : .settings),
                axis: format == .html ? axis(from: start, until: end) : nil
            )
            (report.title, report.limit) = (title, top)
        } catch let failure as HistoryFailure {
            throw StartupError(failure.description)
        }
        if report.summary.isEmpty { StandardStreams.printMessage("no target has a history in this period") }
        let text = format.text(of: report, localTime: Self.localTime)
        try StandardStreams.print(text, isData: format.isData)
    }

    /// The slices of the strips, at most as many as fit on a phone.
    private func axis(from start: Duration, until end: Duration) -> StripAxis {
        StripAxis(from: start, until: end, limit: 96, zone: .local())
    }

    /// The targets of arguments.
    ///
    /// - Parameter known: the targets of the settings. Those of a group are in their order, and one with another name before is
    ///   found by both: until the next start, the history has the former.
    static func chosen(
        _ targets: [String],
        from database: HistoryDatabase,
        known settings: KnownTargets? = nil
    ) throws -> [TargetRow] {
        var rows: [TargetRow] = []
        var problems: [String] = []
        for argument in targets {
            let group = argument.hasPrefix("@group:") ? String(argument.dropFirst("@group:".count)) : nil
            let name = argument.hasPrefix("@") ? String(argument.dropFirst()) : argument
            var found =
                try group.map {
                    let rows = try database.targets(inGroup: $0)
                    return settings?.inOrder(rows) ?? rows
                }
                ?? database.targets(named: name, orURL: argument)
            let former = found.isEmpty && group == nil ? settings?.formerTargets ?? [:] : [:]
            let match = former.first { $1.name == name }
            if let (before, new) = match {
                let rows = try database.targets(named: before, orURL: new.url)
                found = rows.filter { $0.name == before && $0.url == new.url }.map {
                    TargetRow(id: $0.id, name: new.name, url: new.url, group: new.group)
                }
            }
            if found.isEmpty {
                let all = try database.targets()
                let groups = Set(all.compactMap(\.group))
                let known = group == nil ? all.map(\.name) : groups.sorted()
                var hint = (group ?? name).nearest(of: known).map { " – did you mean \"\($0)\"?" } ?? ""
                if let new = former[name] {
                    hint = " – \(name) is now \(new.name)"
                } else if let (before, _) = match, all.contains(where: { $0.name == before }) {
                    hint = " – \(before), its name before, had another URL"
                } else if group == nil, groups.contains(name) {
                    hint = " – it is a group: @group:\(name)"
                }
                problems.append("no \(group == nil ? "target" : "group") \"\(group ?? name)\" in the history\(hint)")
            }
            rows += found.filter { !rows.contains($0) }
        }
        guard problems.isEmpty else { throw StartupError(lines: problems) }
        return rows
    }

    // MARK: Times

    /// The time of an option, since 1970. Where the clock shows a time of day twice, both: a period begins with the first and ends
    /// with the second.
    static func times(
        _ text: String,
        before now: Duration,
        of option: String,
        zone: @autoclosure () -> ZoneOffsets = .local()
    ) throws(StartupError) -> ClosedRange<Duration> {
        let example = "such as 24h, 30d, 12:25, yesterday, 2026-11-01 or 2026-11-01T12:00"
        do throws(PastTime.Problem) {
            return try PastTime(text, before: now, in: zone()).times
        } catch {
            switch error {
            case .tooEarly: throw StartupError("\(option) \(text.printable): before 1970 – \(example)")
            case .invalid(let problem):
                // A small number is one of days, as in the default.
                let hasNoUnit = Int(text).map { (1...366).contains($0) } ?? false
                let fix = hasNoUnit ? "\"\(text)\" has no unit – did you mean \(text)d?" : problem ?? example
                throw StartupError("\(option) \(text.printable): invalid time – \(fix)")
            }
        }
    }

    /// The local time of a time since 1970: `2026-11-23 14:02:31`.
    static func localTime(_ time: Duration) -> String {
        var seconds = time_t(time.flooredSeconds)
        var fields = tm()
        localtime_r(&seconds, &fields)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S", &fields)
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension HistoryDatabase {
    /// Opens the history of this user.
    static func opened(for access: Access) throws(StartupError) -> HistoryDatabase {
        let environment = ProcessInfo.processInfo.environment
        guard let folder = StateFolder(environment: environment) else {
            throw StartupError("history: \(StateFolder.problem(environment))")
        }
        if access == .write, !folder.create() {
            throw StartupError(HistoryFailure.cannotWrite(inFolder: folder.path, errno: errno).description)
        }
        do throws(HistoryFailure) {
            return try HistoryDatabase(path: folder.history, for: access)
        } catch {
            throw StartupError(error.description)
        }
    }
}
