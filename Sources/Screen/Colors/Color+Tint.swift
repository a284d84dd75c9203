extension Color {
    /// The forms of a tint for terminals of each colour depth.
    public struct Tint: Sendable, Hashable {
        /// The colour of the sixteen that replaces it.
        public let base: Color
        /// The nearest of xterm's 256 colours: a 6×6×6 cube from 16 on, and greys from 232 on.
        public let index: UInt8
        /// The exact colour.
        public let rgb: RGB

        fileprivate init(_ base: Color, _ index: UInt8, _ rgb: UInt32) {
            self.base = base
            self.index = index
            self.rgb = RGB(rgb)
        }
    }

    /// The forms of a tint; nil for one of the sixteen.
    ///
    /// Yellow and cyan are hardly visible on a light background in old palettes: other colours of the sixteen replace them
    /// there. The tints for the colour-blind are those of Okabe and Ito (https://jfly.uni-koeln.de/color/), or near them.
    public var tint: Tint? {
        switch self {
        case .ash: Tint(.brightBlack, 245, 0x8A8A8A)
        case .slate: Tint(.brightBlack, 241, 0x626262)
        case .forest: Tint(.green, 28, 0x1A7F1A)
        case .bronze: Tint(.magenta, 94, 0x8A5A00)
        case .crimson: Tint(.red, 160, 0xCF1A1A)
        case .marine: Tint(.blue, 25, 0x0A5CB0)
        case .sky: Tint(.brightBlue, 74, 0x56B4E9)
        case .straw: Tint(.cyan, 221, 0xF0E442)
        case .orange: Tint(.yellow, 208, 0xFF8C1A)
        case .rust: Tint(.red, 130, 0xB45000)
        case .orchid: Tint(.magenta, 175, 0xCC79A7)
        default: nil
        }
    }
}
