/// The colour of a character: one of the sixteen of the terminal's palette, which the user may configure, or a tint, which
/// terminals of fewer colours replace by the nearest that they have.
///
/// It takes five bytes, since every cell of a frame has one: the replacements of a tint are computed when it is created.
public struct Color: Sendable, Hashable {
    /// The index in the palette, 0 to 15; for a tint, the index of its replacement plus 16.
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

    /// The index in the palette: 0 to 7, and 8 to 15 for the bright ones; for a tint, the index of its replacement.
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

extension Color {
    /// The one of the sixteen that has the hue of a colour: a replacement of another hue would mean something else.
    static func base(of rgb: RGB) -> Color {
        let (red, green, blue) = (Int(rgb.red), Int(rgb.green), Int(rgb.blue))
        let most = max(red, green, blue)
        let range = most - min(red, green, blue)
        guard range >= minRange else {
            return switch rgb.luma {
            case ..<0.2: .black
            case ..<0.65: .brightBlack
            case ..<0.9: .white
            default: .brightWhite
            }
        }
        let isBright = rgb.luma > 0.6
        return switch hue(red, green, blue, most: most, range: range) {
        case 25..<67: isBright ? .brightYellow : .yellow
        case 67..<160: isBright ? .brightGreen : .green
        case 160..<200: isBright ? .brightCyan : .cyan
        // The blue of many palettes is hardly visible on black.
        case 200..<260: rgb.luma > 0.45 ? .brightBlue : .blue
        case 260..<340: isBright ? .brightMagenta : .magenta
        default: isBright ? .brightRed : .red
        }
    }

    /// The least difference of the components of a colour that is not a grey.
    private static let minRange = 40

    /// The hue in degrees, as in HSV.
    private static func hue(_ red: Int, _ green: Int, _ blue: Int, most: Int, range: Int) -> Int {
        let sixth =
            switch most {
            case red: 60 * (green - blue) / range
            case green: 120 + 60 * (blue - red) / range
            default: 240 + 60 * (red - green) / range
            }
        return (sixth + 360) % 360
    }
}

extension RGB {
    /// The steps of xterm's cube.
    private static let steps: [UInt8] = [0, 95, 135, 175, 215, 255]

    /// One of xterm's 256 colours; nil for the first sixteen, which the user may configure.
    init?(index: UInt8) {
        switch index {
        case ..<16:
            return nil
        case ..<232:
            let offset = Int(index) - 16
            self.init(red: Self.steps[offset / 36], green: Self.steps[offset / 6 % 6], blue: Self.steps[offset % 6])
        default:
            let grey = 8 + 10 * (index - 232)
            self.init(red: grey, green: grey, blue: grey)
        }
    }

    /// The nearest of xterm's cube and greys.
    ///
    /// Hue and saturation weigh more than brightness: the steps of the cube are so coarse that a pale green would otherwise
    /// become yellow.
    var nearestIndex: UInt8 {
        var best = (index: UInt8(16), distance: Int.max)
        for index in 16...UInt8.max {
            guard let rgb = RGB(index: index) else { continue }
            let (red, green, blue) = (
                Int(rgb.red) - Int(self.red), Int(rgb.green) - Int(self.green), Int(rgb.blue) - Int(self.blue)
            )
            // Differences of brightness and colour in BT.601, times 1000.
            let luma = 299 * red + 587 * green + 114 * blue
            let (cyan, magenta) = ((1_000 * blue - luma) * 564 / 1_000, (1_000 * red - luma) * 713 / 1_000)
            let distance = luma * luma + Self.weightOfHue * (cyan * cyan + magenta * magenta)
            if distance < best.distance { best = (index, distance) }
        }
        return best.index
    }

    private static let weightOfHue = 4
}
