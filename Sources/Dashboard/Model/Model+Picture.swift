import Monitoring
import Screen

extension Model {
    /// The screen as a picture: an SVG document.
    public func picture() -> String {
        var model = self
        model.status = nil
        return model.draw().svg(title: title, palette: Palette(look.theme.background))
    }

    /// What the picture shows, in words.
    private var title: String {
        let standings = roster.standings
        let isAny = { (health: Role) in standings.count { !$0.isOutOfUse && $0.role == health } }
        let counts = [(isAny(.up), "up"), (isAny(.degraded), "slow"), (isAny(.down), "down")].filter { $0.0 > 0 }
        let words = counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let targets = "\(standings.count) \(standings.count == 1 ? "target" : "targets")"
        return "reach \(source) at \(wall.timeOfDay(at: now)): \(targets)\(words.isEmpty ? "" : ", \(words)")"
    }

    /// Asks for the picture to be kept, under a name with the local time in it.
    mutating func savePicture() -> [Effect] {
        let local = WallTime(start: wall.start + wall.offset).timestamp(at: now).prefix { $0 != "." }
        let stamp = local.filter { $0 != ":" }.map { $0 == "T" ? "-" : $0 }
        return [.save(picture(), name: "reach-\(String(stamp)).svg")]
    }
}
