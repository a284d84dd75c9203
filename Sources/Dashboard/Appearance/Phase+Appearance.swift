import Monitoring
import Screen

extension Glyphs {
    /// The shade of a phase, which identifies it without colour.
    func shade(of phase: Phase) -> Character {
        switch phase {
        case .resolve: shades[0]
        case .connect: shades[1]
        case .tls: shades[2]
        case .processing: shades[3]
        case .transfer: shades[4]
        }
    }
}

extension Theme {
    /// The colour of a phase; plain in a theme without colours.
    func style(of phase: Phase) -> Style {
        guard self[.accent].foreground != nil else { return .plain }
        return switch phase {
        case .resolve: Style(.cyan)
        case .connect: Style(.blue)
        case .tls: Style(.magenta)
        case .processing: Style(.yellow)
        case .transfer: Style(.green)
        }
    }
}
