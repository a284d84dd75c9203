import ReachBasics

extension Unicode.Scalar {
    /// Whether an excerpt, which is on one line, has a blank in place of the character.
    package var isLineOrTab: Bool { self == "\r" || self == "\n" || self == "\t" }
}

extension Unicode.Scalar {
    /// Whether excerpts of the texts of peers contain the character.
    package var isShown: Bool { isPrintable && properties.generalCategory != .privateUse }
}

extension String {
    /// The text as excerpts of the texts of peers contain it: on one line, without controls or without any invisible
    /// characters, and without blanks at the ends. Empty if excerpts do not change it.
    var excerptForms: [String] {
        guard !utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return [] }
        let scalars = unicodeScalars.map { $0.isLineOrTab ? " " : $0 }
        let line = String(String.UnicodeScalarView(scalars))
        let shown = String(String.UnicodeScalarView(scalars.filter(\.isShown)))
        let forms = [line, line.withoutControls, shown]
        return forms + forms.map(\.trimmed)
    }
}
