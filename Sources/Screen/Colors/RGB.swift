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
