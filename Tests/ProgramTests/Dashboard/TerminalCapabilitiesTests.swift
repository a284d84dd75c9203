import ReachDashboard
import ReachMonitoring
import ReachScreen
import ReachTerminal
import Testing

@testable import reach

@Suite struct TerminalCapabilitiesTests {
    private func capabilities(_ environment: [String: String], ascii: Bool = false, noColor: Bool = false)
        -> TerminalCapabilities
    {
        TerminalCapabilities(ascii: ascii, noColor: noColor, environment: environment)
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
    func `the environment determines the number of colours`(environment: [String: String], color: ColorSupport) {
        #expect(capabilities(environment).color == color)
        #expect(capabilities(environment, noColor: true).color == .none)
        #expect(capabilities(environment, noColor: true).theme == .mono)
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
    func `the locale and the terminal determine the characters`(environment: [String: String], glyphs: Glyphs) {
        #expect(capabilities(environment).glyphs == glyphs)
        #expect(capabilities(environment, ascii: true).glyphs == .ascii)
        // With --ascii, names may still contain other characters; a locale without UTF-8 does not support them.
        #expect(capabilities(environment, ascii: true).characters == (glyphs == .ascii ? .ascii : .unicode))
    }

    @Test func `only terminals that may support the query are queried for the background`() {
        #expect(capabilities(["TERM": "xterm"]).canQueryBackground)
        for environment in [["TERM": "linux"], ["TERM": "dumb"], ["TERM": "xterm", "NO_COLOR": "1"]] {
            #expect(!capabilities(environment).canQueryBackground)
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
    func `the environment determines the background until the terminal has replied`(
        environment: [String: String],
        background: Background
    ) {
        #expect(capabilities(environment).background == background)
    }

    @Test(
        arguments: [
            (["TERM": "xterm-256color"], .none), (["TERM": "linux"], .none), ([:], .none),
            (["TERM": "xterm-kitty"], .osc99), (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], .osc99),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .osc9),
            (["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "LC_TERMINAL": "iTerm2"], .osc9),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .osc9), (["ConEmuANSI": "ON"], .osc9),
            (["TERM": "rxvt-unicode-256color"], .osc777), (["TERM": "foot"], .osc777),
            (["TERM": "xterm-ghostty"], .osc777), (["TERM_PROGRAM": "ghostty", "TERM": "xterm-256color"], .osc777),
            // GNU screen passes none of them on.
            (["TERM": "screen", "STY": "1.pts", "KITTY_WINDOW_ID": "1"], .none),
        ] as [([String: String], NotificationSupport)]
    )
    func `the notifications of a terminal are known by its variables`(
        environment: [String: String],
        support: NotificationSupport
    ) {
        #expect(capabilities(environment).notifications == support)
    }

    @Test func `tmux and terminals with a title are recognized`() {
        let tmux = ["TMUX": "/tmp/tmux-0/default,1,0"]
        #expect(capabilities(tmux.merging(["TERM": "screen", "STY": "1.pts"]) { $1 }).multiplexer == .tmux)
        #expect(capabilities(["TERM": "xterm", "TMUX": ""]).multiplexer == nil)
        #expect(capabilities(["TERM": "screen", "STY": "1.pts"]).multiplexer == .screen)
        #expect(capabilities(["TERM": "tmux-256color"]).multiplexer == .remoteTmux)
        #expect(capabilities(["TERM": "screen.xterm-256color"]).multiplexer == .remoteScreen)
        #expect(capabilities(["TERM": "vt220"]).hasCursorMovements)
        for environment in [[:], ["TERM": ""], ["TERM": "dumb"], ["TERM": "unknown"]] {
            #expect(!capabilities(environment).hasCursorMovements)
        }
        #expect(capabilities(["TERM": "xterm"]).hasTitle && capabilities(["TERM": "tmux-256color"]).hasTitle)
        for terminal in ["linux", "dumb", "vt220", ""] { #expect(!capabilities(["TERM": terminal]).hasTitle) }
    }

    @Test func `text for a locale without UTF-8 is ASCII of the same width`() {
        let text = "Café – 4µs … 東京\n"
        #expect(CharacterSupport(environment: ["LANG": "C"]).written(text) == "Caf? - 4us ~ ????\n")
        #expect(CharacterSupport(environment: ["LANG": "C.UTF-8"]).written(text) == text)
        #expect(CharacterSupport(environment: [:]).written(text) == text)
    }

    @Test(
        arguments: [
            ([:], 75), (["SSH_TTY": "/dev/pts/1"], 150), (["SSH_CONNECTION": "::1 1 ::1 22"], 150),
            (["SSH_TTY": ""], 75),
            (["ESCDELAY": "300", "SSH_TTY": "/dev/pts/1"], 300), (["ESCDELAY": "0"], 0), (["ESCDELAY": "-1"], 75),
            (["ESCDELAY": "99999999999"], 75), (["ESCDELAY": "quick", "SSH_TTY": "/dev/pts/1"], 150),
        ] as [([String: String], Int)]
    )
    func `the rest of an escape sequence is awaited longer over a network`(_ environment: [String: String], delay: Int)
    {
        #expect(capabilities(environment).escapeDelay == .milliseconds(delay))
    }
}
