/// A colour by its parts, as sRGB has them.
public struct RGB: Sendable, Hashable {
    /// How much red, of 255.
    public let red: UInt8
    /// How much green, of 255.
    public let green: UInt8
    /// How much blue, of 255.
    public let blue: UInt8

    /// A colour of its parts.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// A colour as it is mostly written: `0xRRGGBB`.
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

    /// How bright it looks, of 1 (the luma of ITU-R BT.601, by which editors too tell a light background).
    public var luma: Double {
        (0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)) / 255
    }
}
