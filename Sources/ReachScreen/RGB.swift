/// A colour in sRGB.
public struct RGB: Sendable, Hashable {
    /// Red, 0…255.
    public let red: UInt8
    /// Green, 0…255.
    public let green: UInt8
    /// Blue, 0…255.
    public let blue: UInt8

    /// A colour from its components.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// A colour from `0xRRGGBB`.
    public init(_ value: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16),
            green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value)
        )
    }

    /// `#rrggbb`.
    public var hex: String {
        "#" + [red, green, blue].map { (part: UInt8) in (part < 16 ? "0" : "") + String(part, radix: 16) }.joined()
    }

    /// The luma, 0…1 (ITU-R BT.601), by which editors also recognize a light background.
    public var luma: Double {
        (0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)) / 255
    }
}

/// Whether a background is dark or light.
public enum Background: Sendable, Hashable, CaseIterable {
    /// A background for light text.
    case dark
    /// A background for dark text.
    case light

    /// Classifies a background colour by its luma.
    public init(_ color: RGB) {
        self = color.luma > 0.5 ? .light : .dark
    }
}

extension RGB {
    /// Parses a colour as terminals report it (XParseColor's `rgb:RRRR/GGGG/BBBB`, one to four hexadecimal digits each, also
    /// `rgba:` with a fourth part, and `#RRGGBB`); nil for anything else.
    public init?(answer: String) {
        if answer.hasPrefix("#") {
            guard answer.utf8.count == 7, answer.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
            guard let value = UInt32(answer.dropFirst(), radix: 16) else { return nil }
            self.init(value)
            return
        }
        let halves = answer.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let count = ["rgb": 3, "rgba": 4][halves[0]] else { return nil }
        let words = halves[1].split(separator: "/", omittingEmptySubsequences: false)
        let parts = words.compactMap(Self.part)
        guard words.count == count, parts.count == count else { return nil }
        self.init(red: parts[0], green: parts[1], blue: parts[2])
    }

    /// One component with one to four digits: `f`, `ff`, `fff` and `ffff` all mean the maximum.
    private static func part(_ digits: Substring) -> UInt8? {
        guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else { return nil }
        guard let value = Int(digits, radix: 16) else { return nil }
        let most = 1 << (4 * digits.utf8.count) - 1
        return UInt8((value * 255 + most / 2) / most)
    }
}

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
