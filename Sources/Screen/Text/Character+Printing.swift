extension Character {
    /// What stands on the screen for anything that must not be printed.
    public static let replacement: Character = "\u{FFFD}"

    /// More scalars than any emoji has; a longer cluster is somebody's joke at the expense of the rows above and below.
    private static let mostScalars = 16

    /// The columns that it takes on the screen, one or two: what cannot be printed has the replacement's.
    public var displayWidth: Int {
        printable.columnsIfPrintable
    }

    /// The character, or the replacement if a terminal would obey it or show nothing for it.
    ///
    /// A cluster of several scalars needs no look inside: Unicode's segmentation lets controls and format characters
    /// stand alone, all but the joiners and the tags, which belong there.
    var printable: Character {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return Self.replacement }
        if scalars.index(after: scalars.startIndex) == scalars.endIndex {
            return first.isPlainlyNarrow || first.isPrintableAlone ? self : Self.replacement
        }
        // A carriage return with its newline is the one cluster of controls.
        guard first.value >= 0x20, scalars.count <= Self.mostScalars, scalars.contains(where: \.hasShape) else {
            return Self.replacement
        }
        return self
    }

    /// The columns of a character that is known to be printable.
    var columnsIfPrintable: Int {
        let scalars = unicodeScalars
        guard let first = scalars.first, !first.isPlainlyNarrow || utf8.count > first.utf8.count else { return 1 }
        var sum = 0
        for scalar in scalars {
            // The variation selector asks for the picture where there is a plain sign too.
            if scalar.value == 0xFE0F, first.properties.isEmoji { return 2 }
            sum += scalar.columns
        }
        return min(max(sum, 1), 2)
    }
}
