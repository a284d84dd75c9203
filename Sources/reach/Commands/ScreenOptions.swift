import ArgumentParser
import Monitoring

/// The options for the look of the screen.
struct ScreenOptions: ParsableArguments {
    @Flag(help: "ASCII characters only.")
    var ascii = false

    @Flag(help: "No colours, as with NO_COLOR=1.")
    var noColor = false

    @Option(
        help: ArgumentHelp(
            "Theme, instead of that of the settings: \(Self.themes), or your own.",
            valueName: "theme"
        ),
        completion: .list(ThemeChoice.builtIn.map(\.name)),
        transform: ThemeChoice.init
    )
    var theme: ThemeChoice?

    private static let themes = ThemeChoice.builtIn.map(\.name).joined(separator: ", ")
}
