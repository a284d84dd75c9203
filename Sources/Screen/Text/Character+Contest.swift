extension Character {
    /// Whether it is one of the common characters alone, about which nothing else needs to be asked.
    var isPlainlyNarrow: Bool {
        guard let first = unicodeScalars.first else { return false }
        return first.isPlainlyNarrow && utf8.count == first.utf8.count
    }

    /// Whether terminals are known to disagree about its columns, by their age, their tables and what they join: emoji,
    /// scripts of the last years, private characters, and clusters that are more than a letter with marks above or below.
    ///
    /// xterm, for one, gives every face of a family two columns, and a heart one, whatever variation is asked for.
    var hasContestedWidth: Bool {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return false }
        if utf8.count == first.utf8.count { return first.hasContestedWidth }
        guard columnsIfPrintable == 1, !first.hasContestedWidth else { return true }
        return scalars.dropFirst().contains { scalar in
            // Marks without a combining class, such as many vowels, are none to pyte, which forgets what follows them.
            let isMark = [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
            return !isMark || scalar.properties.canonicalCombiningClass == .notReordered
        }
    }

    /// The most columns that any terminal takes for it: two for every part, joined or not.
    var mostColumns: Int {
        2 * unicodeScalars.count
    }
}

extension Unicode.Scalar {
    /// Whether there are terminals that know another width of the scalar, or none.
    fileprivate var hasContestedWidth: Bool {
        if isPlainlyNarrow { return false }
        return switch value {
        case 0x1100..<0x1200: true  // letters that join into syllables
        case ..<0x2E80: properties.isEmojiPresentation
        case 0x2E80..<0x303F, 0x3041..<0x3248, 0x3250..<0x4DC0, 0x4E00..<0xA4D0, 0xAC00..<0xD7A4: false
        case 0xF900..<0xFB00, 0xFF01..<0xFFE7, 0xFFFD, 0x20000..<0x2FFFE: false
        default: true
        }
    }
}
