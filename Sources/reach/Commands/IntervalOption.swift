import ArgumentParser
import Monitoring
import SettingsFile

/// The option for the interval of all targets.
struct IntervalOption: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Interval of all targets, such as 200ms or 5s, instead of that of the settings.",
            valueName: "time"
        ),
        transform: Self.time
    )
    var interval: Duration?

    private static func time(_ text: String) throws -> Duration {
        guard let time = Duration(text: text) else {
            throw ValidationError(text.durationProblem ?? "invalid duration \"\(text)\" – such as 200ms, 5s, 1m")
        }
        let shortest = SettingsFile.shortestInterval
        guard time >= shortest, time <= .seconds(86_400) else {
            throw ValidationError("must be between \(shortest.settingsText) and 24h")
        }
        return time
    }
}
