import Dashboard
import Monitoring
import TerminalIO

/// What the terminal can show, as far as the command line and the environment tell.
struct Appearance: Sendable, Hashable {
    let glyphs: Glyphs
    /// The theme that stands above the settings' one.
    let theme: ThemeChoice?
    let color: ColorSupport

    /// Decides by the options first, then by `NO_COLOR` (https://no-color.org), `TERM` and the locale.
    init(ascii: Bool, noColor: Bool, environment: [String: String]) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        // A terminal whose locale says nothing is taken for what terminals are today.
        let isUnicode = locale.map { $0.lowercased().replacing("-", with: "").contains("utf8") } ?? true
        glyphs = ascii || !isUnicode ? .ascii : .unicode
        let isColourless = noColor || !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        theme = isColourless ? .mono : nil
        color = isColourless ? .none : .sixteen
    }
}
