import ArgumentParser
import Monitoring
import Screen

/// What makes a picture of the dashboard in place of showing it.
struct PictureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show nothing: watch for a while, then write the screen to this SVG file (- is standard output). No hooks run.",
            valueName: "file"
        ),
        completion: .file(extensions: ["svg"])
    )
    var svg: String?

    @Option(help: ArgumentHelp("With --svg: how long to watch (10s).", valueName: "time"))
    var after: String?

    @Option(help: ArgumentHelp("With --svg: how wide the screen is (120).", valueName: "count"))
    var columns: Int?

    @Option(help: ArgumentHelp("With --svg: how high the screen is (36).", valueName: "count"))
    var rows: Int?

    @Option(help: ArgumentHelp("With --svg: keys to press at the end, such as e for the events.", valueName: "keys"))
    var press: String?

    /// The size of the screen.
    var size: Size {
        Size(columns: columns ?? 120, rows: rows ?? 36)
    }

    /// How long to watch; nil when it is no duration.
    var duration: Duration? {
        Duration(text: after ?? "10s")
    }

    func validate() throws {
        guard svg != nil || (after == nil && columns == nil && rows == nil && press == nil) else {
            throw ValidationError("--after, --columns, --rows and --press are of use only with --svg FILE")
        }
        guard let duration, duration <= .seconds(86_400) else {
            throw ValidationError("--after \"\(after ?? "")\" is no duration of up to a day: such as 10s, 2m")
        }
        guard (20...500).contains(size.columns) else { throw ValidationError("--columns is 20 to 500") }
        guard (5...200).contains(size.rows) else { throw ValidationError("--rows is 5 to 200") }
    }
}
