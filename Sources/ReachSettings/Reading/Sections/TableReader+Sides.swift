import ReachBasics
import ReachMonitoring

extension TableReader {
    /// Reads the names of the targets whose answers show that the own side works.
    ///
    /// - Parameters:
    ///   - known: The names of the targets.
    ///   - mayBeListed: Whether there are targets that are known only from the list of a source.
    mutating func trustedTargets(_ key: String, among known: Set<String>, mayBeListed: Bool) -> [String] {
        let example = "the names of targets, such as [\"Quad9\"]"
        guard let elements = texts(key, example: example) else { return [] }
        guard !log.isIncomplete, !mayBeListed else { return elements.map(\.text) }
        for element in elements where !known.contains(element.text) {
            report(
                "unknown target \(element.text.quoted)",
                hint: element.text.suggestion(among: known.sorted()) ?? "the name of a target",
                about: key,
                at: element
            )
        }
        return elements.map(\.text)
    }
}

extension DocumentReader {
    /// Reads `[whose]`, after all targets.
    mutating func readSides(into settings: inout Settings) {
        var table = table("whose", example: "[whose]")
        let isOn = table.flag("enabled")
        let names = settings.targets.flatMap { [$0.name, $0.label] } + disabledTargets
        settings.sides.trusted = table.trustedTargets(
            "trust",
            among: Set(names),
            mayBeListed: !settings.sources.isEmpty
        )
        settings.sides.isOn = isOn ?? true
        table.reportUnknownKeys()
    }
}
