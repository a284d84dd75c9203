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
        let census = roster.standings.census
        let counts = [(census.up, "up"), (census.degraded, "slow"), (census.down, "down")].filter { $0.0 > 0 }
        let words = counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let targets = "\(census.total) \(census.total == 1 ? "target" : "targets")"
        return "reach \(source) at \(wall.timeOfDay(at: now)): \(targets)\(words.isEmpty ? "" : ", \(words)")"
    }

    /// Asks for the picture to be kept, under a name with the local time in it.
    mutating func savePicture() -> [Effect] {
        let local = WallTime(start: wall.start + wall.offset).timestamp(at: now).prefix { $0 != "." }
        let stamp = local.filter { $0 != ":" }.map { $0 == "T" ? "-" : $0 }
        return [.save(picture(), name: "reach-\(String(stamp)).svg")]
    }
}
