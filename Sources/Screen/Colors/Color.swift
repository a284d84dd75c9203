/// The colour of a character: one of the sixteen of the terminal's palette, which the user may configure, or a tint where
/// none of the sixteen is legible on every background.
///
/// The raw value of the sixteen is their index in the palette: 0 to 7, and 8 to 15 for the bright ones.
public enum Color: UInt8, CaseIterable, Sendable, Hashable {
    /// The palette's black.
    case black
    /// The palette's red.
    case red
    /// The palette's green.
    case green
    /// The palette's yellow.
    case yellow
    /// The palette's blue.
    case blue
    /// The palette's magenta.
    case magenta
    /// The palette's cyan.
    case cyan
    /// The palette's white.
    case white
    /// The palette's bright black.
    case brightBlack
    /// The palette's bright red.
    case brightRed
    /// The palette's bright green.
    case brightGreen
    /// The palette's bright yellow.
    case brightYellow
    /// The palette's bright blue.
    case brightBlue
    /// The palette's bright magenta.
    case brightMagenta
    /// The palette's bright cyan.
    case brightCyan
    /// The palette's bright white.
    case brightWhite
    /// Dimmed text on dark.
    case ash
    /// Dimmed text on light.
    case slate
    /// Green on light.
    case forest
    /// The equivalent of yellow on light.
    case bronze
    /// Red on light.
    case crimson
    /// Blue on light.
    case marine
    /// Blue on dark.
    case sky
    /// Yellow on dark.
    case straw
    /// Orange on dark.
    case orange
    /// Orange on light.
    case rust
    /// Purple on dark.
    case orchid
}
