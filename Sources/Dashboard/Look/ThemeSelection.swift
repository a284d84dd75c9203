import Monitoring
import Screen

/// What the theme is selected by: the command line, the settings and the terminal's background.
struct ThemeSelection: Sendable {
    /// The theme that the command line asks for; it overrides the settings'.
    private let forced: ThemeChoice?
    private var settings = ThemeChoice.auto
    private var background: Background

    init(forced: ThemeChoice?, background: Background) {
        self.forced = forced
        self.background = background
    }

    var theme: Theme { Theme(forced ?? settings, on: background) }

    mutating func apply(_ choice: ThemeChoice) {
        settings = choice
    }

    /// Notes the background that the terminal has reported.
    ///
    /// - Returns: Whether it differs from what was known.
    mutating func note(_ background: Background) -> Bool {
        defer { self.background = background }
        return self.background != background
    }
}
