import Screen

@testable import Dashboard

/// The gradient of ``Theme/roles``, whose steps have colours that no role has.
extension Theme {
    /// The gradients of the themes, which take too long to create for each cell.
    private static let gradients: [Theme: Gradient] = ([roles] + ThemeTests.cases.map { Theme($0, on: $1) })
        .reduce(into: [:]) { $0[$1] = Gradient($1) }

    /// The position of a style in the gradient of ``roles``.
    private static func position(of style: Style) -> Double? {
        guard style.foreground?.tint != nil, let gradient = gradients[roles] else { return nil }
        return stride(from: 0, through: 1, by: 1 / 16).first { gradient[$0].foreground == style.foreground }
    }

    /// Converts a step of the gradient of ``roles`` to this theme; nil for another style.
    func gradientStyle(for style: Style) -> Style? {
        Self.position(of: style).flatMap { position in
            Self.gradients[self].map { Style($0[position].foreground, style.attributes) }
        }
    }

    /// Returns the letter of a step of the gradient: that of the role below it; nil for another style.
    static func gradientLetter(of style: Style) -> Character? {
        position(of: style).map { $0 < 0.5 ? "u" : $0 < 1 ? "s" : "d" }
    }
}
