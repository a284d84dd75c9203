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
        let validation: SettingsValidation
        do throws(SettingsFailure) {
            let found =
                if let file, !file.isEmpty {
                    SettingsFile(path: file)
                } else {
                    try SettingsFile.locate(config: file ?? config, environment: environment)
                }
            let report = try found.validate(environment: environment, allowsUnset: allowUnset)
            validation = SettingsValidation(report, file: found.path)
        } catch {
            let record = ValidationRecord(nil, error.lines.map(ValidationRecord.Problem.init))
            if json { try StandardStreams.print(record.json, isData: true) }
            for line in error.lines where !json { StandardStreams.printMessage(line) }
            throw ExitCode(2)
        }
        if json {
            try StandardStreams.print(ValidationRecord(validation).json, isData: true)
        } else {
            let lines =
                (validation.problems + validation.warnings).map(\.description)
                + (Self.summary(of: validation).map { [$0] } ?? [])
            try StandardStreams.write(lines.map { "\($0)\n" }.joined())
        }
        if !validation.problems.isEmpty { throw ExitCode(1) }
    }

    /// The last line of valid settings.
    static func summary(of validation: SettingsValidation) -> String? {
        guard let settings = validation.settings else { return nil }
        let counts = [
            Self.count(settings.targets.count, "target"),
            settings.disabledTargets.isEmpty ? nil : "\(settings.disabledTargets.count) not enabled",
            settings.prometheus.isEmpty ? nil : Self.count(settings.prometheus.count, "Prometheus server"),
            settings.modules.isEmpty ? nil : Self.count(settings.modules.count, "module"),
            Self.count(settings.hookCount, "hook"),
        ]
        let unset = validation.unset.isEmpty ? "" : "; not set: \(validation.unset.joined(separator: ", "))"
        let sources =
            validation.notFetched.isEmpty ? "" : "; not fetched: \(validation.notFetched.joined(separator: ", "))"
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
    fileprivate init(_ validation: SettingsValidation) {
        let counts = validation.settings.map {
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
            (validation.problems + validation.warnings).map(Problem.init),
            notSet: validation.unset,
            notFetched: validation.notFetched
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

/// The result of a validation of settings with the lists of their sources that are in files.
struct SettingsValidation {
    /// The settings with the targets of the lists in files; nil if there are problems.
    private(set) var settings: Settings?
    private(set) var problems: [SettingsProblem]
    private(set) var warnings: [SettingsProblem]
    /// The variables and secrets without a value, if these are allowed.
    let unset: [String]
    /// The names of the sources whose lists were not read.
    let notFetched: [String]

    /// - Parameter file: The path of the settings file.
    init(_ report: SettingsReport, file: String) {
        (settings, problems, warnings, unset) = (report.settings, report.problems, report.warnings, report.unset)
        let sources = report.settings?.sources ?? []
        notFetched = sources.filter { ListFiles($0) == nil }.map(\.name)
        var lists: [DiscoverySource.Kind: DiscoveryList] = [:]
        for source in sources {
            switch ListFiles(source)?.result {
            case nil: break
            case .success(let list): lists[source.kind] = list
            case .failure(let problem):
                let key = "source \"\(source.name)\""
                problems.append(SettingsProblem(file: file, keyPath: key, message: problem.description))
            }
        }
        for (source, leftOut) in settings?.discover(lists) ?? [:] {
            let key = "source \"\(source.name)\""
            var warning = SettingsProblem(file: file, keyPath: key, message: leftOut.summary)
            warning.isWarning = true
            warnings.append(warning)
        }
        if !problems.isEmpty { (settings, warnings) = (nil, []) }
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
