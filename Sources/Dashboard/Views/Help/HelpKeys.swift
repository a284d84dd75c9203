import Screen

/// A section of the key table.
struct HelpKeys: DetailPart {
    let section: KeySection
    let look: Look

    var title: String { section.title }

    /// The columns of the keys' names.
    private static let nameWidth = 10
    /// More lines than that no row takes.
    private static let most = 8

    func lines(width: Int) -> [[Segment]] {
        section.bindings.flatMap { binding in
            let name = look.glyphs.spelled(binding.name)
            let help = look.glyphs.spelled(binding.help)
                .wrapped(toColumns: max(1, width - Self.nameWidth), lines: Self.most)
            return help.enumerated().map { index, line in
                let name = (index == 0 ? name : "").padded(toColumns: Self.nameWidth)
                return [Segment(name, look[.title]), Segment(line, look[.text])]
            }
        }
    }
}
