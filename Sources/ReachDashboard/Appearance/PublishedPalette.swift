import ReachScreen

/// The colours of a published palette that a theme uses: the exact value of each, the nearest of 256, and the one of sixteen
/// of the same name.
struct PublishedPalette {
    /// The background that the colours are made for. It is painted only in pictures.
    let background: RGB
    let foreground: RGB
    let faint: Color
    let red: Color
    let yellow: Color
    let green: Color
    let cyan: Color
    let blue: Color
    let magenta: Color
    let accent: Color

    /// Catppuccin Mocha (https://catppuccin.com/palette): overlay 2, red, yellow, green, sky, blue, mauve.
    static let catppuccinMocha = PublishedPalette(
        background: RGB(0x1E1E2E),
        foreground: RGB(0xCDD6F4),
        faint: Color(0x9399B2, index: 103, base: .brightBlack),
        red: Color(0xF38BA8, index: 211, base: .red),
        yellow: Color(0xF9E2AF, index: 223, base: .yellow),
        green: Color(0xA6E3A1, index: 151, base: .green),
        cyan: Color(0x89DCEB, index: 116, base: .cyan),
        blue: Color(0x89B4FA, index: 111, base: .brightBlue),
        magenta: mauve,
        accent: mauve
    )

    private static let mauve = Color(0xCBA6F7, index: 183, base: .magenta)

    /// Catppuccin Latte: subtext 1, red, yellow, green, teal, blue, mauve.
    static let catppuccinLatte = PublishedPalette(
        background: RGB(0xEFF1F5),
        foreground: RGB(0x4C4F69),
        faint: Color(0x5C5F77, index: 60, base: .brightBlack),
        red: Color(0xD20F39, index: 161, base: .red),
        yellow: Color(0xDF8E1D, index: 172, base: .yellow),
        green: Color(0x40A02B, index: 71, base: .green),
        cyan: Color(0x179299, index: 30, base: .cyan),
        blue: Color(0x1E66F5, index: 26, base: .blue),
        magenta: Color(0x8839EF, index: 99, base: .magenta),
        accent: Color(0x8839EF, index: 99, base: .magenta)
    )

    /// gruvbox, dark mode (https://github.com/morhetz/gruvbox, with its own choice of 256 colours): light 4, and the bright
    /// colours.
    static let gruvboxDark = PublishedPalette(
        background: RGB(0x282828),
        foreground: RGB(0xEBDBB2),
        faint: Color(0xA89984, index: 246, base: .brightBlack),
        red: Color(0xFB4934, index: 167, base: .red),
        yellow: Color(0xFABD2F, index: 214, base: .yellow),
        green: Color(0xB8BB26, index: 142, base: .green),
        cyan: Color(0x8EC07C, index: 108, base: .cyan),
        blue: Color(0x83A598, index: 109, base: .brightBlue),
        magenta: Color(0xD3869B, index: 175, base: .magenta),
        accent: Color(0x83A598, index: 109, base: .brightBlue)
    )

    /// gruvbox, light mode: dark 4, and the faded colours.
    static let gruvboxLight = PublishedPalette(
        background: RGB(0xFBF1C7),
        foreground: RGB(0x3C3836),
        faint: Color(0x7C6F64, index: 243, base: .brightBlack),
        red: Color(0x9D0006, index: 88, base: .red),
        yellow: Color(0xB57614, index: 136, base: .yellow),
        green: Color(0x79740E, index: 100, base: .green),
        cyan: Color(0x427B58, index: 66, base: .cyan),
        blue: Color(0x076678, index: 24, base: .blue),
        magenta: Color(0x8F3F71, index: 96, base: .magenta),
        accent: Color(0x076678, index: 24, base: .blue)
    )

    /// Nord (https://www.nordtheme.com/docs/colors-and-palettes), which is for dark backgrounds: nord9, since its comments
    /// are hardly readable; nord11, nord13, nord14, nord8, nord10, nord15.
    static let nord = PublishedPalette(
        background: RGB(0x2E3440),
        foreground: RGB(0xD8DEE9),
        faint: Color(0x81A1C1, index: 67, base: .brightBlack),
        red: Color(0xBF616A, index: 131, base: .red),
        yellow: Color(0xEBCB8B, index: 222, base: .yellow),
        green: Color(0xA3BE8C, index: 108, base: .green),
        cyan: Color(0x88C0D0, index: 110, base: .cyan),
        blue: Color(0x5E81AC, index: 67, base: .brightBlue),
        magenta: Color(0xB48EAD, index: 139, base: .magenta),
        accent: Color(0x88C0D0, index: 110, base: .cyan)
    )

    /// Solarized, dark (https://ethanschoonover.com/solarized, with its own choice of 256 colours). The faint text is base00,
    /// one step brighter than its comments, which are hardly readable.
    static let solarizedDark = PublishedPalette(
        background: RGB(0x002B36),
        foreground: RGB(0x839496),
        faint: Color(0x657B83, index: 241, base: .brightBlack)
    )

    /// Solarized, light: base00, its text.
    static let solarizedLight = PublishedPalette(
        background: RGB(0xFDF6E3),
        foreground: RGB(0x586E75),
        faint: Color(0x657B83, index: 241, base: .brightBlack)
    )
}

extension PublishedPalette {
    /// Solarized has the same colours for both backgrounds.
    private init(background: RGB, foreground: RGB, faint: Color) {
        self.init(
            background: background,
            foreground: foreground,
            faint: faint,
            red: Color(0xDC322F, index: 160, base: .red),
            yellow: Color(0xB58900, index: 136, base: .yellow),
            green: Color(0x859900, index: 64, base: .green),
            cyan: Color(0x2AA198, index: 37, base: .cyan),
            blue: Color(0x268BD2, index: 33, base: .blue),
            magenta: Color(0xD33682, index: 125, base: .magenta),
            accent: Color(0x268BD2, index: 33, base: .blue)
        )
    }
}
