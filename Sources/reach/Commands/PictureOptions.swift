import ArgumentParser
import Monitoring
import Screen

/// The options that write a picture of the dashboard instead of showing it.
struct PictureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "SVG file to write the screen to after a while, instead of showing it (-: standard output); no hooks run.",
            valueName: "file"
        ),
        completion: .file(extensions: ["svg"])
    )
    var svg: String?

    @Option(help: ArgumentHelp("With --svg: time until the picture is written. (default: 10s)", valueName: "time"))
    var after: String?

    @Option(help: ArgumentHelp("With --svg: width of the screen. (default: 120)", valueName: "count"))
    var columns: Int?

    @Option(help: ArgumentHelp("With --svg: height of the screen. (default: 36)", valueName: "count"))
    var rows: Int?

    @Option(
        help: ArgumentHelp(
            "With --svg: keys to press before the picture is written, such as e for the events.",
            valueName: "keys"
        )
    )
    var press: String?

    /// The size of the screen.
    var size: Size {
        Size(columns: columns ?? 120, rows: rows ?? 36)
    }

    /// The time until the picture is written; nil if the text is not a duration.
    var duration: Duration? {
        Duration(text: after ?? "10s")
    }

    func validate() throws {
        guard svg != nil || (after == nil && columns == nil && rows == nil && press == nil) else {
            throw ValidationError("--after, --columns, --rows and --press: only allowed with --svg FILE")
        }
        guard let duration, duration <= .seconds(86_400) else {
            let invalid = "invalid duration \"\(after ?? "")\" – up to one day, such as 10s or 2m"
            throw ValidationError("--after: \(after?.durationProblem ?? invalid)")
        }
        guard (20...500).contains(size.columns) else {
            throw ValidationError("--columns \(size.columns): must be between 20 and 500")
        }
        guard (5...200).contains(size.rows) else {
            throw ValidationError("--rows \(size.rows): must be between 5 and 200")
        }
    }
}
