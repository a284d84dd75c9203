extension Character {
    /// The character that replaces unprintable ones.
    public static let replacement: Character = "\u{FFFD}"

    /// More scalars than any emoji has. Longer clusters, such as stacked marks, would cover the rows above and below:
    /// only their first scalar is shown.
    private static let mostScalars = 16

    /// The width on screen, one or two columns; that of the replacement for an unprintable character.
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
        if scalars.count > Self.mostScalars { return Character(first).printable }
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
    var mostColumns: Int {
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
