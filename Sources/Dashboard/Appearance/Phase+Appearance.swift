import Monitoring

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
