import ReachMonitoring
import ReachScreen
import Testing

@testable import ReachDashboard

@Suite struct GradientTests {
    @Test(arguments: ThemeTests.cases)
    func `normal round trips end with the colour of up, slow ones begin with that of degraded`(
        choice: ThemeChoice,
        background: Background
    ) {
        let theme = Theme(choice, on: background)
        let (styles, palette) = (Gradient(theme).styles, theme.palette)
        #expect(styles.count == 2 * Gradient.steps)
        guard choice != .mono else {
            #expect(styles.allSatisfy { $0 == .plain })
            return
        }
        #expect(palette[styles[Gradient.steps - 1].foreground] == palette[theme[.up].foreground])
        #expect(palette[styles[Gradient.steps].foreground] == palette[theme[.degraded].foreground])
        #expect(Set(styles.map(\.foreground)).count == styles.count)
    }

    @Test(arguments: ThemeTests.cases)
    func `no normal round trip has a warning's colour, and no slow one that of losses`(
        choice: ThemeChoice,
        background: Background
    ) {
        guard choice != .mono else { return }
        let theme = Theme(choice, on: background)
        let palette = theme.palette
        func distance(_ style: Style, _ role: Role) -> Int {
            let (one, other) = (palette[style.foreground], palette[theme[role].foreground])
            let parts = [(one.red, other.red), (one.green, other.green), (one.blue, other.blue)]
            return parts.reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
        }
        for (index, style) in Gradient(theme).styles.enumerated() {
            let isSlow = index >= Gradient.steps
            #expect(distance(style, isSlow ? .degraded : .up) < distance(style, isSlow ? .down : .degraded))
        }
    }

    @Test(arguments: ThemeTests.cases)
    func `with sixteen colours, a style has its role's colour`(choice: ThemeChoice, background: Background) {
        let theme = Theme(choice, on: background)
        let base = { (color: Color?) in color.map { $0.tint?.base ?? $0 } }
        for (index, style) in Gradient(theme).styles.enumerated() {
            let role = index < Gradient.steps ? Role.up : .degraded
            #expect(base(style.foreground) == base(theme[role].foreground))
        }
    }

    @Test func `a round trip is slow above the limit`() {
        let gradient = Gradient(Theme(.dark))
        let index = { (milliseconds: Int64, slow: Int64?) in
            let slow = slow.map { $0 * 1_000_000 }
            let style = gradient.style(ofNanoseconds: milliseconds * 1_000_000, slow: slow, top: 1_000_000_000)
            return gradient.styles.firstIndex(of: style)
        }
        #expect([0, 250, 500].map { index($0, 500) } == [0, 4, 7])
        #expect([501, 750, 1_000, 9_000].map { index($0, 500) } == [8, 12, 15, 15])
        // Without a limit, nothing is slow.
        #expect([0, 500, 1_000, 9_000].map { index($0, nil) } == [0, 4, 7, 7])
    }
}

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

    /// The scales of heat of the themes.
    private static let scales: [Theme: HeatScale] = ([roles] + ThemeTests.cases.map { Theme($0, on: $1) })
        .reduce(into: [:]) { $0[$1] = HeatScale($1) }

    /// The level of a style in the scale of heat of ``roles``.
    private static func level(of style: Style) -> Int? {
        guard style.foreground?.tint != nil, let scale = scales[roles] else { return nil }
        return scale.styles.firstIndex { $0.foreground == style.foreground }
    }

    /// Converts a step of the gradient or a level of heat of ``roles`` to this theme; nil for another style.
    func gradientStyle(for style: Style) -> Style? {
        if let index = Self.index(of: style) {
            return Self.gradients[self].map { Style($0.styles[index].foreground, style.attributes) }
        }
        return Self.level(of: style).flatMap { level in
            Self.scales[self].map { Style($0.styles[level].foreground, style.attributes) }
        }
    }

    /// Returns the letter of a step of the gradient or a level of heat: that of its role; nil for another style.
    static func gradientLetter(of style: Style) -> Character? {
        index(of: style).map { $0 < Gradient.steps ? "u" : "s" }
            ?? level(of: style).map { $0 < HeatScale.greens ? "u" : "s" }
    }
}
