import Dashboard
import Monitoring
import Screen
import TerminalIO

/// What the terminal can show, as far as the command line and the environment tell.
struct Appearance: Sendable, Hashable {
    let glyphs: Glyphs
    /// The theme that stands above the settings' one.
    let theme: ThemeChoice?
    let color: ColorSupport
    /// What the terminal can be sent, names and what peers say included.
    let characters: CharacterSupport
    /// What the environment says of the background.
    let background: Background
    /// Whether the terminal may be asked for its background: those that do not know the question might show it.
    let answers: Bool

    /// Decides by the options first, then by `NO_COLOR` (https://no-color.org), `TERM`, `COLORTERM`
    /// (https://github.com/termstandard/colors), `COLORFGBG` (rxvt's) and the locale.
    init(ascii: Bool, noColor: Bool, theme: ThemeChoice? = nil, environment: [String: String]) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        // A terminal whose locale says nothing is taken for what terminals are today.
        let isUnicode = locale.map { $0.lowercased().replacing("-", with: "").contains("utf8") } ?? true
        let terminal = environment["TERM"] ?? ""
        characters = isUnicode ? .unicode : .ascii
        glyphs = ascii || !isUnicode ? .ascii : terminal == "linux" ? .console : .unicode
        let isColourless = noColor || !(environment["NO_COLOR"] ?? "").isEmpty || terminal == "dumb"
        self.theme = isColourless ? .mono : theme
        color = isColourless ? .none : Self.depth(of: terminal, environment)
        // The last part is the background's place in the palette: white, or bright white.
        let place = environment["COLORFGBG"]?.split(separator: ";").last
        background = place == "7" || place == "15" ? .light : .dark
        answers = !isColourless && terminal != "linux"
    }

    private static func depth(of terminal: String, _ environment: [String: String]) -> ColorSupport {
        if terminal.hasSuffix("-direct") { return .direct }
        // GNU screen takes such codes for others, and hands on the variable of the terminal that it runs in.
        let isScreen = terminal.hasPrefix("screen") && (environment["TMUX"] ?? "").isEmpty
        if terminal != "linux", !isScreen, ["truecolor", "24bit"].contains(environment["COLORTERM"]) { return .direct }
        return terminal.hasSuffix("-256color") ? .indexed : .sixteen
    }
}
