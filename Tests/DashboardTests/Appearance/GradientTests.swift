import Monitoring
import Screen
import Testing

@testable import Dashboard

@Suite struct GradientTests {
    @Test(arguments: ThemeTests.cases)
    func `a gradient goes from the colour of up to that of down`(choice: ThemeChoice, background: Background) throws {
        let theme = Theme(choice, on: background)
        let (gradient, palette) = (Gradient(theme), theme.palette)
        guard choice != .mono else {
            #expect(gradient[0] == .plain && gradient[1] == .plain)
            return
        }
        for (position, role) in [(0, Role.up), (0.5, .degraded), (1, .down), (-3, .up), (9, .down)] {
            #expect(palette[gradient[position].foreground] == palette[theme[role].foreground])
        }
        let steps = Set(stride(from: 0, through: 1, by: 1 / 16).map { gradient[$0].foreground })
        #expect(steps.count >= 16)
    }

    @Test(arguments: ThemeTests.cases)
    func `with sixteen colours, a step has a role's colour`(choice: ThemeChoice, background: Background) {
        let theme = Theme(choice, on: background)
        let base = { (color: Color?) in color.map { $0.tint?.base ?? $0 } }
        for (position, role) in [(0, Role.up), (0.4, .up), (0.5, .degraded), (0.9, .degraded), (1, .down)] {
            #expect(base(Gradient(theme)[position].foreground) == base(theme[role].foreground))
        }
    }

    @Test func `the limit of slow replies is at the colour of degraded`() {
        let gradient = Gradient(Theme(.dark))
        let style = { (milliseconds: Int, slow: Int?) in
            gradient.style(of: .milliseconds(milliseconds), slow: slow.map { .milliseconds($0) }, top: .seconds(1))
        }
        #expect(style(500, 500) == gradient[0.5])
        #expect(style(1_000, 500) == gradient[1] && style(9_000, 500) == gradient[1])
        // Without a limit, nothing is slow.
        #expect(style(1_000, nil) == gradient[0.3])
    }
}
