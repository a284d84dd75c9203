/// What makes a terminal a dashboard's, and what gives it back.
enum ScreenCodes {
    /// The alternate screen, no cursor, pastes in brackets, and no wrapping at the right edge: the last column is as good
    /// as any other.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h\u{1B}[?7l"
    /// Lets the terminal tell clicks and the wheel, in decimal numbers, which reach any column.
    static let mouseOn = "\u{1B}[?1000h\u{1B}[?1006h"
    static let mouseOff = "\u{1B}[?1006l\u{1B}[?1000l"
    /// Everything that `enter` and a frame that was cut short may have left, undone.
    static let leave: StaticString =
        "\u{1B}[?2026l\u{1B}[0m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"
}
