import ReachMonitoring
import ReachScreen

/// The styles and glyphs of the screen.
public struct Appearance: Sendable, Hashable {
    /// The style of each role.
    public var theme: Theme {
        didSet { (gradient, heat) = (Gradient(theme), HeatScale(theme)) }
    }
    /// The colours of round trips in the theme.
    private(set) var gradient: Gradient
    /// The colours of heat rows in the theme.
    private(set) var heat: HeatScale
    /// The characters of the terminal.
    public var glyphs: Glyphs

    /// Creates an appearance from a theme and glyphs.
    public init(theme: Theme, glyphs: Glyphs) {
        self.theme = theme
        self.glyphs = glyphs
        (gradient, heat) = (Gradient(theme), HeatScale(theme))
    }

    subscript(role: Role) -> Style { theme[role] }
}

/// The colours of round trips: shades of the role `up` within a target's limit, of `degraded` above it. The role `down` is
/// kept for losses.
struct Gradient: Sendable, Hashable {
    /// The number of styles for normal round trips, and for slow ones.
    static let steps = 8
    /// The share of cyan in the first normal style, and of the role `down` in the last slow one.
    private static let (cyan, down) = (0.45, 0.3)

    /// The normal styles, shortest round trip first, then the slow ones.
    let styles: [Style]

    /// Creates the gradient of a theme; plain if the theme lacks a colour.
    ///
    /// Normal round trips begin with some cyan, and slow ones end with some of the colour of down. On a terminal of
    /// sixteen colours, a style has the colour of its role.
    init(_ theme: Theme) {
        guard let up = theme[.up].foreground, let degraded = theme[.degraded].foreground,
            let down = theme[.down].foreground
        else {
            styles = Array(repeating: .plain, count: Self.steps * 2)
            return
        }
        let palette = theme.palette
        let mix = { (role: Color, other: Color, most: Double) in
            (0..<Self.steps).map { step in
                let share = most * Double(step) / Double(Self.steps - 1)
                return Style(Color(palette[role].mixed(with: palette[other], share), base: role.tint?.base ?? role))
            }
        }
        styles = mix(up, .cyan, Self.cyan).reversed() + mix(degraded, down, Self.down)
    }

    /// The style of a round trip; a slow style above the limit. Without a limit, nothing is slow. All are in nanoseconds.
    ///
    /// - Parameter top: the longest value of the chart, for targets without a limit.
    func style(ofNanoseconds roundTrip: Int64, slow: Int64?, top: Int64) -> Style {
        let share = { (part: Int64) in Double(roundTrip) / Double(part) }
        guard let slow, slow > 0 else { return styles[step(top > 0 ? share(top) : 0)] }
        return roundTrip <= slow ? styles[step(share(slow))] : styles[Self.steps + step(share(slow) - 1)]
    }

    /// Returns the step of a share; one above 1 has the last step.
    private func step(_ share: Double) -> Int {
        max(0, min(Self.steps - 1, Int(min(share, 1) * Double(Self.steps))))
    }
}

extension RGB {
    /// The colour between this one and another, at a share of the way.
    func mixed(with other: RGB, _ share: Double) -> RGB {
        func mix(_ one: UInt8, _ other: UInt8) -> UInt8 {
            UInt8((Double(one) + (Double(other) - Double(one)) * share).rounded())
        }
        return RGB(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
