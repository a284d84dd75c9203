import Monitoring

extension TableReader {
    /// Reads `history = "off"`, or the table `[history]`.
    mutating func historySettings() -> HistorySettings {
        var settings = HistorySettings()
        if string(at: "history") != nil {
            if let choice = choice("history", of: HistoryChoice.self) { settings.isOn = choice == .on }
            return settings
        }
        var table = self.table("history", example: "[history], or history = \"off\" above all tables")
        let longest = Duration.seconds(3_650 * 86_400)
        let reason = "the figures of minutes are the source of the others"
        if let events = table.duration("events", in: .seconds(86_400)...longest) { settings.events = events }
        if let minutes = table.duration("minutes", in: .seconds(7_200)...longest, because: reason) {
            settings.minutes = minutes
        }
        if let hours = table.duration("hours", in: .seconds(86_400)...longest) { settings.hours = hours }
        table.reportUnknownKeys(elsewhere: ["file": "the file is always $XDG_STATE_HOME/reach/history.sqlite"])
        schema?.add(.choice(HistoryChoice.allCases.map(\.rawValue)), to: "history")
        return settings
    }
}

/// The values of `history`.
private enum HistoryChoice: String, CaseIterable {
    case on
    case off
}
