import Monitoring
import Screen

/// The colours of round trips: from the theme's colour of up, over that of degraded, to that of down.
struct Gradient: Sendable, Hashable {
    /// The number of steps between two of the three colours.
    private static let steps = 8

    private let styles: [Style]

    /// Creates the gradient of a theme; plain if the theme lacks one of the three colours.
    ///
    /// On a terminal of sixteen colours, a step has the role's colour below it.
    init(_ theme: Theme) {
        guard let up = theme[.up].foreground, let degraded = theme[.degraded].foreground,
            let down = theme[.down].foreground
        else {
            styles = [.plain]
            return
        }
        let palette = theme.palette
        let steps = (0..<Self.steps).map { Double($0) / Double(Self.steps) }
        let mix = { (from: Color, to: Color) in
            steps.map { share in
                Style(Color(palette[from].mixed(with: palette[to], share), base: from.tint?.base ?? from))
            }
        }
        styles = mix(up, degraded) + mix(degraded, down) + mix(down, down).prefix(1)
    }

    /// The style at a position: 0 is up, 0.5 degraded, 1 down.
    subscript(position: Double) -> Style {
        styles[max(0, min(styles.count - 1, Int(position * Double(styles.count - 1))))]
    }
}

extension Gradient {
    /// The style of a round trip. A target's limit of slow replies is at the colour of degraded; without a limit, colours
    /// stay near that of up.
    func style(of roundTrip: Duration, slow: Duration?, top: Duration) -> Style {
        if let slow, slow > .zero { return self[roundTrip / slow / 2] }
        return self[top > .zero ? roundTrip / top * 0.3 : 0]
    }
}

extension RGB {
    /// The colour between this one and another, at a share of the way.
    fileprivate func mixed(with other: RGB, _ share: Double) -> RGB {
        func mix(_ one: UInt8, _ other: UInt8) -> UInt8 {
            UInt8((Double(one) + (Double(other) - Double(one)) * share).rounded())
        }
        return RGB(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
