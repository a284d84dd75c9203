import Monitoring
import Screen

extension Appearance {
    /// Whether the theme has colours.
    var hasColours: Bool { self[.up].foreground != nil }

    /// The style of a target's name on the wall. Without colours, failing targets are reversed, so that they stand out.
    func wallStyle(of summary: TargetSummary) -> Style {
        var style = self[summary.role]
        if summary.role == .down, !hasColours { style.attributes.insert(.reversed) }
        return style
    }
}
