import Monitoring
import Screen

/// Selects the theme from the command line, the settings and the terminal's background.
struct ThemeSelection: Sendable {
    /// The theme of the command line; it overrides the settings.
    private let forced: ThemeChoice?
    private var choice = ThemeChoice.auto
    private var userThemes: [String: UserTheme] = [:]
    private var background: Background

    init(forced: ThemeChoice?, background: Background) {
        self.forced = forced
        self.background = background
    }

    var theme: Theme { Theme(forced ?? choice, on: background, userThemes: userThemes) }

    mutating func apply(_ settings: Settings) {
        choice = settings.theme
        userThemes = settings.userThemes
    }

    /// Records the background that the terminal has reported.
    ///
    /// - Returns: Whether it differs from the previous one.
    mutating func update(_ background: Background) -> Bool {
        defer { self.background = background }
        return self.background != background
    }
}
