import Screen

@testable import Dashboard

/// The gradient of ``Theme/roles``, whose steps have colours that no role has.
extension Theme {
    /// The gradients of the themes, which take too long to create for each cell.
    private static let gradients: [Theme: Gradient] = ([roles] + ThemeTests.cases.map { Theme($0, on: $1) })
        .reduce(into: [:]) { $0[$1] = Gradient($1) }

    /// The index of a style in the gradient of ``roles``.
    private static func index(of style: Style) -> Int? {
        guard style.foreground?.tint != nil, let gradient = gradients[roles] else { return nil }
        return gradient.styles.firstIndex { $0.foreground == style.foreground }
    }

    /// Converts a step of the gradient of ``roles`` to this theme; nil for another style.
    func gradientStyle(for style: Style) -> Style? {
        Self.index(of: style).flatMap { index in
            Self.gradients[self].map { Style($0.styles[index].foreground, style.attributes) }
        }
    }

    /// Returns the letter of a step of the gradient: that of its role; nil for another style.
    static func gradientLetter(of style: Style) -> Character? {
        index(of: style).map { $0 < Gradient.steps ? "u" : "s" }
    }
}
