import Dashboard
import Foundation
import Monitoring
import Screen
import TestSupport
import Testing

/// The contrast of each role of each theme.
@Suite struct ThemeTests {
    /// xterm's palette since 1996, the one with the lowest contrasts: pale on white, and dim blue on black.
    private static let xterm: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]

    /// Returns the contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio").
    private static func contrast(_ one: RGB, _ other: RGB) -> Double {
        let luminance = { (color: RGB) in
            zip([color.red, color.green, color.blue], [0.2126, 0.7152, 0.0722]).reduce(0.0) { sum, part in
                let value = Double(part.0) / 255
                return sum + part.1 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
            }
        }
        let (first, second) = (luminance(one), luminance(other))
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    static let cases: [(ThemeChoice, Background)] = [
        (.dark, .dark), (.light, .light), (.colourBlind, .dark), (.colourBlind, .light), (.mono, .dark),
        (.mono, .light),
    ]

    @Test(arguments: cases, Role.allCases)
    func `every role has enough contrast`(theme: (choice: ThemeChoice, background: Background), role: Role) {
        guard let color = Theme(theme.choice, on: theme.background)[role].foreground else { return }
        let paper = RGB(theme.background == .light ? 0xFFFFFF : 0x000000)
        if let tint = color.tint { #expect(Self.contrast(tint.rgb, paper) >= 4.5, "\(role): \(color)") }
        // WCAG requires 3 for large letters or if symbols convey the same, as here.
        let base = color.tint?.base ?? color
        let contrast = Self.contrast(RGB(Self.xterm[Int(base.rawValue)]), paper)
        let isGreenOnWhite = base == .green && theme.background == .light
        #expect(contrast >= (isGreenOnWhite ? 2 : 3), "\(role): \(base) has \(contrast)")
        let palette = Palette(theme.background)
        #expect(Self.contrast(palette[color], palette.background) >= 4, "\(role) in a picture: \(color)")
    }

    @Test(arguments: cases)
    func `each health has its own colour`(choice: ThemeChoice, background: Background) {
        guard choice != .mono else { return }
        let theme = Theme(choice, on: background)
        for direct in [true, false] {
            let colors = [Role.up, .degraded, .down, .waiting].compactMap { role in
                theme[role].foreground.map { direct ? $0 : $0.tint?.base ?? $0 }
            }
            #expect(Set(colors).count == 4)
        }
    }

    @Test func `auto follows the reported background`() {
        #expect(Theme(.auto, on: .light) == Theme(.light, on: .dark))
        #expect(Theme(.auto, on: .dark) == Theme(.dark, on: .light))
        var scene = Scene([.make("NAS")])
        scene.model.markPainted()
        let before = scene.model.draw()
        scene.send(.background(.light))
        #expect(scene.model.staleness == .urgent)
        #expect(scene.model.draw() != before)
        #expect(scene.model.draw().text == before.text)
        scene.model.markPainted()
        scene.send(.background(.light))
        #expect(scene.model.staleness == .fresh)
    }

    @Test func `a selected theme overrides the reported background`() {
        var scene = Scene([.make("NAS")], theme: .dark)
        let before = scene.model.draw()
        scene.send(.background(.light))
        #expect(scene.model.draw() == before)
    }
}
