/// The exact colours of a picture, where no terminal decides them.
public struct Palette: Sendable, Hashable {
    /// The background.
    public let background: RGB
    /// Text without a colour.
    public let foreground: RGB
    private let sixteen: [RGB]

    private init(background: UInt32, foreground: UInt32, _ sixteen: [UInt32]) {
        self.background = RGB(background)
        self.foreground = RGB(foreground)
        self.sixteen = sixteen.map { RGB($0) }
    }

    /// The palette for a background.
    public init(_ background: Background) {
        self = background == .light ? .light : .dark
    }

    /// A palette with other colours for the background and for text without a colour.
    public init(background: RGB, foreground: RGB, sixteen: Palette) {
        self.background = background
        self.foreground = foreground
        self.sixteen = sixteen.sixteen
    }

    /// The value of a colour; the foreground for nil.
    public subscript(color: Color?) -> RGB {
        guard let color else { return foreground }
        if let tint = color.tint { return tint.rgb }
        return sixteen[Int(color.paletteIndex)]
    }

    /// Light on dark.
    public static let dark = Palette(
        background: 0x16181D,
        foreground: 0xD4D4D4,
        [
            0x3B4048, 0xE06C75, 0x98C379, 0xE5C07B, 0x61AFEF, 0xC678DD, 0x56B6C2, 0xC8CCD4,
            0x7F848E, 0xFF7B86, 0xB5E08F, 0xF5D58A, 0x7CC3FF, 0xDA94F0, 0x6FD3DF, 0xFFFFFF,
        ]
    )

    /// Dark on light.
    public static let light = Palette(
        background: 0xFDFDFD,
        foreground: 0x24292E,
        [
            0x24292E, 0xCF222E, 0x1A7F37, 0x9A6700, 0x0969DA, 0x8250DF, 0x1B7C83, 0x6E7781,
            0x6E7781, 0xA40E26, 0x116329, 0x7D4E00, 0x0550AE, 0x6639BA, 0x0F5B61, 0x24292E,
        ]
    )
}
