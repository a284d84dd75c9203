extension Character {
    /// Whether it is written from right to left, or stands among what is (the blocks whose characters are R or AL unless
    /// said otherwise, in Unicode's DerivedBidiClass).
    var isRightToLeft: Bool {
        switch unicodeScalars.first?.value ?? 0 {
        case ..<0x590: false
        case 0x590..<0x900, 0xFB1D..<0xFE00, 0xFE70..<0xFF00, 0x10800..<0x11000, 0x1E800..<0x1F000: true
        default: false
        }
    }
}
