import ArgumentParser
import Foundation
import ReachMonitoring
import ReachReporting
import ReachSettings

/// `reach validate`: prints every problem of the settings, or its warnings and "ok".
struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Print every problem and warning of the settings, or \"ok\".",
        usage: """
            reach validate                check the file that reach reads
            reach validate other.toml     check this file
            reach validate --json         one JSON object, for editors and CI
            """,
        discussion: """
            A warning is a part that has no effect, such as a group without targets. Lists of sources are read if they are in \
            files; nothing is fetched, and no command runs.
            Exit status: 0 no problem, 1 problems, 2 file not found or not readable.
            """
    )

    @Argument(
        help: ArgumentHelp("Settings file. (default: dashboard.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var file: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Settings file, as for the other commands.", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    @Flag(help: "Variables and secrets without a value are no problems; values that have them are not checked.")
    var allowUnset = false

    @Flag(help: "One JSON object instead of lines.")
    var json = false

    func validate() throws {
        guard file == nil || config == nil else {
            throw ValidationError("--config and a file cannot be combined – name one settings file")
        }
    }

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let report: SettingsReport
        do throws(SettingsFailure) {
            let found =
                if let file, !file.isEmpty {
                    SettingsFile(path: file)
                } else {
                    try SettingsFile.locate(config: file ?? config, environment: environment)
                }
            report = try found.validate(environment: environment, allowsUnset: allowUnset)
        } catch {
            let record = ValidationRecord(nil, error.lines.map(ValidationRecord.Problem.init))
            if json { try StandardStreams.print(record.json, isData: true) }
            for line in error.lines where !json { StandardStreams.printMessage(line) }
            throw ExitCode(2)
        }
        if json {
            try StandardStreams.print(ValidationRecord(report).json, isData: true)
        } else {
            let lines =
                (report.problems + report.warnings).map(\.description)
                + (Self.summary(of: report).map { [$0] } ?? [])
            try StandardStreams.write(lines.map { "\($0)\n" }.joined())
        }
        if !report.problems.isEmpty { throw ExitCode(1) }
    }

    /// The last line of valid settings.
    static func summary(of report: SettingsReport) -> String? {
        guard let settings = report.settings else { return nil }
        let counts = [
            Self.count(settings.targets.count, "target"),
            settings.disabledTargets.isEmpty ? nil : "\(settings.disabledTargets.count) not enabled",
            settings.prometheus.isEmpty ? nil : Self.count(settings.prometheus.count, "Prometheus server"),
            settings.modules.isEmpty ? nil : Self.count(settings.modules.count, "module"),
            Self.count(settings.hookCount, "hook"),
        ]
        let unset = report.unset.isEmpty ? "" : "; not set: \(report.unset.joined(separator: ", "))"
        let sources = report.notFetched.isEmpty ? "" : "; not fetched: \(report.notFetched.joined(separator: ", "))"
        return "ok: \(counts.compactMap(\.self).joined(separator: ", "))\(unset)\(sources)"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

extension Settings {
    /// The number of hooks of all targets, and of the targets of each server.
    fileprivate var hookCount: Int {
        (targets.map(\.hooks) + prometheus.map(\.hooks)).reduce(0) { $0 + $1.count }
    }
}

extension ValidationRecord {
    fileprivate init(_ report: SettingsReport) {
        let counts = report.settings.map {
            Counts(
                targets: $0.targets.count,
                notEnabled: $0.disabledTargets.count,
                prometheus: $0.prometheus.count,
                modules: $0.modules.count,
                hooks: $0.hookCount
            )
        }
        self.init(
            counts,
            (report.problems + report.warnings).map(Problem.init),
            notSet: report.unset,
            notFetched: report.notFetched
        )
    }
}

extension ValidationRecord.Problem {
    /// Creates the problem of a line with a fix after a dash.
    fileprivate init(_ line: String) {
        let dash = line.firstRange(of: " – ")
        self.init(
            .error,
            String(line[..<(dash?.lowerBound ?? line.endIndex)]),
            fix: dash.map { String(line[$0.upperBound...]) }
        )
    }

    fileprivate init(_ problem: SettingsProblem) {
        self.init(
            problem.isWarning ? .warning : .error,
            problem.message,
            fix: problem.hint,
            key: problem.keyPath.isEmpty ? nil : problem.keyPath,
            file: problem.file,
            line: problem.line,
            column: problem.column
        )
    }
}

/// `reach schema`: writes the JSON Schema of the settings, which `Schemas/dashboard.schema.json` has.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Write the JSON Schema of the settings to standard output.",
        usage: "reach schema > dashboard.schema.json",
        shouldDisplay: false
    )

    func run() throws {
        let sample = SampleSettings.text(gateway: nil)
        try StandardStreams.write(SettingsSchema.text(sample: sample), isData: true)
    }
}
