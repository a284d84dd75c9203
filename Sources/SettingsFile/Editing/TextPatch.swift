/// Replacements in a text. Ranges count Unicode scalars, do not overlap, and refer to the text before all replacements.
struct TextPatch {
    private var replacements: [(range: Range<Int>, text: String)] = []

    /// Replaces a range. Insertions at the same place keep their order.
    mutating func replace(_ range: Range<Int>, with text: String) {
        replacements.append((range, text))
    }

    mutating func insert(_ text: String, at index: Int) {
        replace(index..<index, with: text)
    }

    /// Whether a text is inserted at an index.
    func hasInsertion(at index: Int) -> Bool {
        replacements.contains { $0.range == index..<index }
    }

    /// Returns the text with all replacements; everything else is copied scalar by scalar.
    func applied(to scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        var index = 0
        let sorted = replacements.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        for (_, replacement) in sorted {
            view.append(contentsOf: scalars[index..<max(index, replacement.range.lowerBound)])
            view.append(contentsOf: replacement.text.unicodeScalars)
            index = max(index, replacement.range.upperBound)
        }
        view.append(contentsOf: scalars[index...])
        return String(view)
    }
}
