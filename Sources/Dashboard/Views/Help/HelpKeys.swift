import Monitoring
import Screen

/// A section of help with keys and their actions.
struct HelpKeys: DetailPart {
    let section: KeySection
    let appearance: Appearance

    var title: String { section.title }

    /// The width of the keys' names.
    private static let nameWidth = 10
    /// The maximum number of lines of a row.
    private static let maximumLines = 8

    func lines(width: Int) -> [[Segment]] {
        section.bindings.flatMap { binding in
            let name = appearance.glyphs.spelled(binding.name)
            let help = appearance.glyphs.spelled(binding.help)
                .wrapped(toColumns: max(1, width - Self.nameWidth), lines: Self.maximumLines)
            return help.enumerated().map { index, line in
                let name = (index == 0 ? name : "").padded(toColumns: Self.nameWidth)
                return [Segment(name, appearance[.title]), Segment(line, appearance[.text])]
            }
        }
    }
}
