import ReachBasics

extension Character {
    /// The character that replaces unprintable ones.
    public static let replacement: Character = "\u{FFFD}"

    /// More scalars than any emoji has. Longer clusters, such as stacked marks, would cover the rows above and below:
    /// only their first scalar is shown.
    private static let maxScalars = 16

    /// The width on screen, one or two columns. An unprintable character has the width of its replacement.
    public var displayWidth: Int {
        printable.columnsIfPrintable
    }

    /// The character, or the replacement if a terminal would execute it or show nothing.
    ///
    /// Clusters of several scalars contain no controls or format characters except joiners and tags: Unicode's segmentation
    /// (UAX #29) makes the others clusters of their own.
    var printable: Character {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return Self.replacement }
        if scalars.index(after: scalars.startIndex) == scalars.endIndex {
            return first.isPlainlyNarrow || first.isPrintableAlone ? self : Self.replacement
        }
        // Without its marks, it is still the letter.
        if scalars.count > Self.maxScalars { return Character(first).printable }
        // CR LF is the only cluster of controls.
        guard first.value >= 0x20, scalars.contains(where: \.hasShape) else {
            return Self.replacement
        }
        // Tags select a flag, and would be invisible elsewhere.
        if first.value != 0x1F3F4, scalars.contains(where: \.isTag) { return Self.replacement }
        return self
    }

    /// The width of a printable character.
    var columnsIfPrintable: Int {
        let scalars = unicodeScalars
        guard let first = scalars.first, !first.isPlainlyNarrow || utf8.count > first.utf8.count else { return 1 }
        var sum = 0
        for scalar in scalars {
            // The variation selector selects the emoji presentation, which is wide.
            if scalar.value == 0xFE0F, first.properties.isEmoji { return 2 }
            sum += scalar.columns
        }
        return min(max(sum, 1), 2)
    }
}

extension Character {
    /// Whether it is a single common narrow scalar, which needs no further checks.
    var isPlainlyNarrow: Bool {
        guard let first = unicodeScalars.first else { return false }
        return first.isPlainlyNarrow && utf8.count == first.utf8.count
    }

    /// Whether terminals disagree about its width, depending on their age and tables: emoji, recent scripts, private-use
    /// characters, and clusters other than a letter with marks above or below.
    ///
    /// For example, xterm gives two columns to each face of a family emoji, and one to a heart with any variation selector.
    var hasContestedWidth: Bool {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return false }
        if utf8.count == first.utf8.count { return first.hasContestedWidth }
        guard columnsIfPrintable == 1, !first.hasContestedWidth else { return true }
        return scalars.dropFirst().contains { scalar in
            // pyte does not treat marks without a combining class, such as many vowel signs, as marks.
            let isMark = [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
            return !isMark || scalar.properties.canonicalCombiningClass == .notReordered
        }
    }

    /// Whether it fills its cell to the edges, as bars do (U+2580 to U+259F).
    ///
    /// In many fonts, it is a fraction wider than the cell. Terminals that draw letters whole, as xterm does, then colour the
    /// first pixels of the next cell too, until that is painted.
    public var overflowsCell: Bool {
        guard utf8.count == 3, let first = unicodeScalars.first else { return false }
        return 0x2580...0x259F ~= first.value
    }

    /// The largest width that any terminal uses: two for each scalar.
    var maxColumns: Int {
        2 * unicodeScalars.count
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a tag, such as those of the flag of Scotland.
    fileprivate var isTag: Bool { 0xE0000..<0xE0080 ~= value }

    /// Whether terminals disagree about the width of the scalar.
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

extension Character {
    /// Whether it belongs to a right-to-left script (the blocks that default to R or AL in Unicode's DerivedBidiClass).
    var isRightToLeft: Bool {
        switch unicodeScalars.first?.value ?? 0 {
        case ..<0x590: false
        case 0x590..<0x900, 0xFB1D..<0xFE00, 0xFE70..<0xFF00, 0x10800..<0x11000, 0x1E800..<0x1F000: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a common printable scalar of one column: ASCII, Latin, punctuation, arrows, mathematics, lines, blocks
    /// and braille. It avoids the slower table lookups.
    var isPlainlyNarrow: Bool {
        switch value {
        case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x2010...0x2027, 0x2190...0x22FF, 0x2500...0x25FC, 0x2800...0x28FF:
            true
        default:
            false
        }
    }

    /// Whether it is visible and harmless as a cluster of its own.
    var isPrintableAlone: Bool {
        guard isPrintable, !properties.isDefaultIgnorableCodePoint else { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: false
        default: true
        }
    }

    /// Whether it is neither a mark nor a joiner.
    var hasShape: Bool {
        isPlainlyNarrow || isPrintableAlone
    }

    /// The columns that it adds to a cluster: none for joiners and nonspacing marks, one for spacing marks, which xterm and
    /// others give a column of their own, two for wide characters. Characters of ambiguous width (UAX #11) take one.
    var columns: Int {
        if isPlainlyNarrow { return 1 }
        switch value {
        case 0x1160...0x11FF: return 0  // vowels and finals of a Hangul syllable, drawn into its first letter
        case 0x1F1E6...0x1F1FF: return 1  // regional indicators: a pair is a flag
        default: break
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return isWide || properties.isEmojiPresentation ? 2 : 1
    }

    private var isWide: Bool {
        var (low, high) = (0, Self.wide.count)
        while low < high {
            let middle = (low + high) / 2
            if value > Self.wide[middle].1 {
                low = middle + 1
            } else if value < Self.wide[middle].0 {
                high = middle
            } else {
                return true
            }
        }
        return false
    }

    /// The ranges of East Asian Width W and F in Unicode 15.1, merged across marks and unassigned code points. Newer emoji are
    /// recognized by their presentation property, which the standard library keeps current.
    private static let wide: [(UInt32, UInt32)] = [
        (0x1100, 0x115F), (0x231A, 0x231B), (0x2329, 0x232A), (0x23E9, 0x23EC), (0x23F0, 0x23F0), (0x23F3, 0x23F3),
        (0x25FD, 0x25FE), (0x2614, 0x2615), (0x2648, 0x2653), (0x267F, 0x267F), (0x2693, 0x2693), (0x26A1, 0x26A1),
        (0x26AA, 0x26AB), (0x26BD, 0x26BE), (0x26C4, 0x26C5), (0x26CE, 0x26CE), (0x26D4, 0x26D4), (0x26EA, 0x26EA),
        (0x26F2, 0x26F3), (0x26F5, 0x26F5), (0x26FA, 0x26FA), (0x26FD, 0x26FD), (0x2705, 0x2705), (0x270A, 0x270B),
        (0x2728, 0x2728), (0x274C, 0x274C), (0x274E, 0x274E), (0x2753, 0x2755), (0x2757, 0x2757), (0x2795, 0x2797),
        (0x27B0, 0x27B0), (0x27BF, 0x27BF), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55), (0x2E80, 0x303E),
        (0x3041, 0x3247), (0x3250, 0x4DBF), (0x4E00, 0xA4C6), (0xA960, 0xA97C), (0xAC00, 0xD7A3), (0xF900, 0xFAFF),
        (0xFE10, 0xFE6B), (0xFF01, 0xFF60), (0xFFE0, 0xFFE6), (0x16FE0, 0x1B2FB), (0x1F004, 0x1F004),
        (0x1F0CF, 0x1F0CF), (0x1F18E, 0x1F18E), (0x1F191, 0x1F19A), (0x1F200, 0x1F320), (0x1F32D, 0x1F335),
        (0x1F337, 0x1F37C), (0x1F37E, 0x1F393), (0x1F3A0, 0x1F3CA), (0x1F3CF, 0x1F3D3), (0x1F3E0, 0x1F3F0),
        (0x1F3F4, 0x1F3F4), (0x1F3F8, 0x1F43E), (0x1F440, 0x1F440), (0x1F442, 0x1F4FC), (0x1F4FF, 0x1F53D),
        (0x1F54B, 0x1F54E), (0x1F550, 0x1F567), (0x1F57A, 0x1F57A), (0x1F595, 0x1F596), (0x1F5A4, 0x1F5A4),
        (0x1F5FB, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F6CC, 0x1F6CC), (0x1F6D0, 0x1F6D2), (0x1F6D5, 0x1F6DF),
        (0x1F6EB, 0x1F6EC), (0x1F6F4, 0x1F6FC), (0x1F7E0, 0x1F7F0), (0x1F90C, 0x1F93A), (0x1F93C, 0x1F945),
        (0x1F947, 0x1F9FF), (0x1FA70, 0x1FAF8), (0x20000, 0x3FFFD),
    ]
}
