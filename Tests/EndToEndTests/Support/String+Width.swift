extension String {
    /// The number of terminal columns of the text, for the characters that these tests use.
    var columns: Int {
        unicodeScalars.reduce(0) { $0 + $1.columns }
    }

    /// The column at which a word begins; nil if the text does not contain it.
    func column(of word: String) -> Int? {
        ranges(of: word).first.map { String(self[..<$0.lowerBound]).columns }
    }
}

extension Unicode.Scalar {
    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return switch value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFF60: 2
        case 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF: 2
        default: 1
        }
    }
}
