import Dashboard
import Monitoring
import Screen
import TerminalIO
import Testing

@testable import reach

@Suite struct AppearanceTests {
    private func appearance(_ environment: [String: String], ascii: Bool = false, noColor: Bool = false) -> Appearance {
        Appearance(ascii: ascii, noColor: noColor, environment: environment)
    }

    @Test(
        arguments: [
            ([:], ColorSupport.sixteen),
            (["TERM": "xterm"], .sixteen),
            (["TERM": "xterm-256color"], .indexed),
            (["TERM": "tmux-256color"], .indexed),
            (["TERM": "xterm-direct"], .direct),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .direct),
            (["TERM": "xterm", "COLORTERM": "24bit"], .direct),
            (["TERM": "xterm", "COLORTERM": "yes"], .sixteen),
            (["TERM": "linux", "COLORTERM": "truecolor"], .sixteen),
            (["TERM": "screen.xterm-256color", "COLORTERM": "truecolor"], .indexed),
            (["TERM": "screen-256color", "COLORTERM": "truecolor", "TMUX": "/tmp/tmux-0/default,1,0"], .direct),
            (["TERM": "xterm-256color", "NO_COLOR": "1"], .none),
            (["TERM": "xterm-256color", "NO_COLOR": ""], .indexed),
            (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
        ] as [([String: String], ColorSupport)]
    )
    func `the environment says how many colours there are`(environment: [String: String], color: ColorSupport) {
        #expect(appearance(environment).color == color)
        #expect(appearance(environment, noColor: true).color == .none)
        #expect(appearance(environment, noColor: true).theme == .mono)
    }

    @Test(
        arguments: [
            ([:], Glyphs.unicode),
            (["LANG": "en_US.UTF-8"], .unicode),
            (["LANG": "de_DE.utf8", "LC_ALL": ""], .unicode),
            (["LANG": "en_US.UTF-8", "LC_ALL": "C"], .ascii),
            (["LANG": "de_DE.ISO-8859-1"], .ascii),
            (["TERM": "linux"], .console),
            (["TERM": "linux", "LANG": "POSIX"], .ascii),
        ] as [([String: String], Glyphs)]
    )
    func `the locale and the terminal say which characters there are`(environment: [String: String], glyphs: Glyphs) {
        #expect(appearance(environment).glyphs == glyphs)
        #expect(appearance(environment, ascii: true).glyphs == .ascii)
        // Whoever asks for ASCII may have names that are not; a locale without UTF-8 can do nothing with them.
        #expect(appearance(environment, ascii: true).characters == (glyphs == .ascii ? .ascii : .unicode))
    }

    @Test func `only who may know the question is asked for the background`() {
        #expect(appearance(["TERM": "xterm"]).answers)
        for environment in [["TERM": "linux"], ["TERM": "dumb"], ["TERM": "xterm", "NO_COLOR": "1"]] {
            #expect(!appearance(environment).answers)
        }
    }

    @Test(
        arguments: [
            ([:], Background.dark), (["COLORFGBG": "15;0"], .dark), (["COLORFGBG": "0;15"], .light),
            (["COLORFGBG": "0;default;15"], .light), (["COLORFGBG": "0;7"], .light),
            (["COLORFGBG": "0;default"], .dark),
            (["COLORFGBG": ""], .dark),
        ] as [([String: String], Background)]
    )
    func `until the terminal has answered, the environment says what the background is`(
        environment: [String: String],
        background: Background
    ) {
        #expect(appearance(environment).background == background)
    }
}
