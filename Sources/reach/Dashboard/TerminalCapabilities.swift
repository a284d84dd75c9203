import ReachDashboard
import ReachMonitoring
import ReachScreen
import ReachTerminal

/// The capabilities of the terminal, from the command line and the environment.
struct TerminalCapabilities: Sendable, Hashable {
    let glyphs: Glyphs
    /// The theme that overrides that of the settings.
    let theme: ThemeChoice?
    let color: ColorSupport
    /// The characters that the terminal supports, also in names and in text of peers.
    let characters: CharacterSupport
    /// The background according to the environment.
    let background: Background
    /// Whether the terminal may be queried for its background. A terminal that does not support the query might show it.
    let canQueryBackground: Bool
    /// Whether the terminal has a title. One that does not know the sequence might show it.
    let hasTitle: Bool
    /// How the terminal shows desktop notifications.
    let notifications: NotificationSupport
    /// The terminal multiplexer; nil without a known one.
    let multiplexer: Multiplexer?
    /// Whether the cursor can be moved. Otherwise, only lines can be written.
    let hasCursorMovements: Bool
    /// How long to wait for the rest of an escape sequence.
    let escapeDelay: Duration

    /// A terminal multiplexer.
    enum Multiplexer: Sendable, Hashable {
        /// tmux on this machine.
        case tmux
        /// tmux on another machine, from which this one is used.
        case remoteTmux
        /// GNU screen.
        case screen
        /// GNU screen or tmux on another machine. The name of the terminal can be that of both.
        case remoteScreen
    }

    /// Detects the capabilities. The options come first, then `NO_COLOR` (https://no-color.org), `TERM`, `COLORTERM`
    /// (https://github.com/termstandard/colors), `COLORFGBG` (of rxvt) and the locale.
    init(ascii: Bool, noColor: Bool, theme: ThemeChoice? = nil, environment: [String: String]) {
        let terminal = environment["TERM"] ?? ""
        characters = CharacterSupport(environment: environment)
        glyphs = ascii || characters == .ascii ? .ascii : terminal == "linux" ? .console : .unicode
        let isColourless = noColor || !(environment["NO_COLOR"] ?? "").isEmpty || terminal == "dumb"
        self.theme = isColourless ? .mono : theme
        color = isColourless ? .none : Self.depth(of: terminal, environment)
        // The last part is the palette index of the background: 7 is white, 15 bright white.
        let index = environment["COLORFGBG"]?.split(separator: ";").last
        background = index == "7" || index == "15" ? .light : .dark
        canQueryBackground = !isColourless && terminal != "linux"
        hasTitle = !["linux", "dumb", ""].contains(terminal) && !terminal.hasPrefix("vt")
        multiplexer = Self.multiplexer(in: terminal, environment)
        hasCursorMovements = !["", "dumb", "unknown"].contains(terminal)
        escapeDelay = Self.escapeDelay(environment)
        notifications = Self.notifications(of: terminal, environment)
    }

    /// Terminals do not report it. In tmux, `TERM` and `TERM_PROGRAM` name tmux, but the other variables are those of the
    /// terminal where it was started.
    private static func notifications(of terminal: String, _ environment: [String: String]) -> NotificationSupport {
        let has = { (name: String) in !(environment[name] ?? "").isEmpty }
        let program = environment["TERM_PROGRAM"] ?? ""
        if has("STY") { return .none }
        if has("KITTY_WINDOW_ID") || terminal == "xterm-kitty" { return .osc99 }
        if has("GHOSTTY_RESOURCES_DIR") || program == "ghostty" { return .osc777 }
        if terminal == "xterm-ghostty" || terminal.hasPrefix("foot") || terminal.hasPrefix("rxvt") { return .osc777 }
        let isOSC9 =
            ["iTerm.app", "WezTerm"].contains(program) || environment["LC_TERMINAL"] == "iTerm2"
            || has("WEZTERM_PANE") || environment["ConEmuANSI"] == "ON"
        return isOSC9 ? .osc9 : .none
    }

    private static func multiplexer(in terminal: String, _ environment: [String: String]) -> Multiplexer? {
        let has = { (name: String) in !(environment[name] ?? "").isEmpty }
        if has("TMUX") { return .tmux }
        if has("STY") { return .screen }
        if terminal.hasPrefix("tmux") { return .remoteTmux }
        return terminal.hasPrefix("screen") ? .remoteScreen : nil
    }

    /// `ESCDELAY` in milliseconds, as for programs with ncurses. A network can delay the parts of a sequence.
    private static func escapeDelay(_ environment: [String: String]) -> Duration {
        if let delay = environment["ESCDELAY"].flatMap({ UInt16($0) }) { return .milliseconds(Int(delay)) }
        let isRemote = ["SSH_CONNECTION", "SSH_TTY"].contains { !(environment[$0] ?? "").isEmpty }
        return isRemote ? .milliseconds(150) : Terminal.defaultEscapeDelay
    }

    private static func depth(of terminal: String, _ environment: [String: String]) -> ColorSupport {
        if terminal.hasSuffix("-direct") { return .direct }
        // GNU screen misinterprets 24-bit colour codes, but passes on the COLORTERM of its outer terminal.
        let isScreen = terminal.hasPrefix("screen") && (environment["TMUX"] ?? "").isEmpty
        if terminal != "linux", !isScreen, ["truecolor", "24bit"].contains(environment["COLORTERM"]) { return .direct }
        return terminal.hasSuffix("-256color") ? .indexed : .sixteen
    }
}

extension CharacterSupport {
    /// The characters of the locale. Without one, UTF-8 is assumed, as today's terminals have it.
    init(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let isUnicode = locale.map { $0.lowercased().replacing("-", with: "").contains("utf8") } ?? true
        self = isUnicode ? .unicode : .ascii
    }

    /// A text of messages or tables as it is written, in ASCII if the locale is not UTF-8.
    func written(_ text: String) -> String {
        guard self == .ascii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return sent(Glyphs.ascii.substituted(in: text))
    }
}
