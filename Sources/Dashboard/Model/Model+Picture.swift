import Monitoring
import Screen

extension Model {
    /// Returns the screen as an SVG document.
    public func picture() -> String {
        var model = self
        model.status = nil
        return model.draw().svg(title: title, palette: appearance.theme.palette)
    }

    /// The title of the picture, which describes its content.
    private var title: String {
        let health = roster.states.healthCounts
        let counts = [(health.up, "up"), (health.degraded, health.degradedName), (health.down, "down")]
            .filter { $0.0 > 0 }
        let healths = counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let targets = "\(health.total) \(health.total == 1 ? "target" : "targets")"
        return "reach \(source) at \(wall.timeOfDay(at: now)): \(targets)\(healths.isEmpty ? "" : ", \(healths)")"
    }

    /// Saves the picture in a file named after the local time.
    mutating func savePicture() -> [Effect] {
        let local = WallTime(start: wall.zone.local(wall.start + now)).timestamp(at: .zero).prefix { $0 != "." }
        let stamp = local.filter { $0 != ":" }.map { $0 == "T" ? "-" : $0 }
        return [.save(picture(), name: "reach-\(String(stamp)).svg")]
    }
}
