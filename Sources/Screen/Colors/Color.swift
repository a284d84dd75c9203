/// The colour of a character: one of the sixteen of the terminal's palette, which the user may configure, or a tint, which
/// terminals of fewer colours replace by the nearest that they have.
///
/// It takes five bytes, since every cell of a frame has one: whatever a terminal needs is worked out once.
public struct Color: Sendable, Hashable {
    /// The index in the palette, 0 to 15; for a tint, that of the colour that replaces it, plus 16.
    private let code: UInt8
    private let index: UInt8
    private let rgb: RGB

    private init(code: UInt8, index: UInt8, rgb: RGB) {
        self.code = code
        self.index = index
        self.rgb = rgb
    }

    /// A tint.
    ///
    /// - Parameters:
    ///   - rgb: the exact colour.
    ///   - index: its replacement among xterm's 256 colours, from 16 on; the nearest if nil.
    ///   - base: its replacement among the sixteen; the one of its hue if nil.
    public init(_ rgb: RGB, index: UInt8? = nil, base: Color? = nil) {
        self.init(code: 16 + (base ?? Color.base(of: rgb)).paletteIndex, index: index ?? rgb.nearestIndex, rgb: rgb)
    }

    /// A tint from `0xRRGGBB`.
    public init(_ value: UInt32, index: UInt8? = nil, base: Color? = nil) {
        self.init(RGB(value), index: index, base: base)
    }

    /// One of 256 colours: the sixteen of the palette, then xterm's cube and greys.
    public init(index: UInt8) {
        if let rgb = RGB(index: index) {
            self.init(rgb, index: index)
        } else {
            self.init(code: index, index: index, rgb: RGB(0))
        }
    }

    /// The index in the palette: 0 to 7, and 8 to 15 for the bright ones; for a tint, that of its replacement.
    public var paletteIndex: UInt8 { code & 15 }

    /// The forms of a tint; nil for one of the sixteen.
    public var tint: Tint? {
        code < 16 ? nil : Tint(base: Color(index: paletteIndex), index: index, rgb: rgb)
    }

    /// The forms of a tint for terminals of each colour depth.
    public struct Tint: Sendable, Hashable {
        /// The colour of the sixteen that replaces it.
        public let base: Color
        /// Its replacement among xterm's 256 colours: a 6×6×6 cube from 16 on, and greys from 232 on.
        public let index: UInt8
        /// The exact colour.
        public let rgb: RGB
    }
}

extension Color {
    /// The palette's black.
    public static let black = Color(index: 0)
    /// The palette's red.
    public static let red = Color(index: 1)
    /// The palette's green.
    public static let green = Color(index: 2)
    /// The palette's yellow.
    public static let yellow = Color(index: 3)
    /// The palette's blue.
    public static let blue = Color(index: 4)
    /// The palette's magenta.
    public static let magenta = Color(index: 5)
    /// The palette's cyan.
    public static let cyan = Color(index: 6)
    /// The palette's white.
    public static let white = Color(index: 7)
    /// The palette's bright black.
    public static let brightBlack = Color(index: 8)
    /// The palette's bright red.
    public static let brightRed = Color(index: 9)
    /// The palette's bright green.
    public static let brightGreen = Color(index: 10)
    /// The palette's bright yellow.
    public static let brightYellow = Color(index: 11)
    /// The palette's bright blue.
    public static let brightBlue = Color(index: 12)
    /// The palette's bright magenta.
    public static let brightMagenta = Color(index: 13)
    /// The palette's bright cyan.
    public static let brightCyan = Color(index: 14)
    /// The palette's bright white.
    public static let brightWhite = Color(index: 15)
}

/// Tints where none of the sixteen is legible on every background. Those for the colour-blind are of Okabe and Ito
/// (https://jfly.uni-koeln.de/color/), or near them.
extension Color {
    /// Dimmed text on dark.
    public static let ash = Color(0x8A8A8A, index: 245, base: .brightBlack)
    /// Dimmed text on light.
    public static let slate = Color(0x626262, index: 241, base: .brightBlack)
    /// Green on light.
    public static let forest = Color(0x1A7F1A, index: 28, base: .green)
    /// The equivalent of yellow on light.
    public static let bronze = Color(0x8A5A00, index: 94, base: .yellow)
    /// Red on light.
    public static let crimson = Color(0xCF1A1A, index: 160, base: .red)
    /// Blue on light.
    public static let marine = Color(0x0A5CB0, index: 25, base: .blue)
    /// Blue on dark.
    public static let sky = Color(0x56B4E9, index: 74, base: .brightBlue)
    /// Yellow on dark.
    public static let straw = Color(0xF0E442, index: 221, base: .brightYellow)
    /// Orange on dark.
    public static let orange = Color(0xFF8C1A, index: 208, base: .brightRed)
    /// Orange on light.
    public static let rust = Color(0xB45000, index: 130, base: .red)
    /// Purple on dark.
    public static let orchid = Color(0xCC79A7, index: 175, base: .magenta)
}
