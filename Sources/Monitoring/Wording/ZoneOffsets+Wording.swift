extension ZoneOffsets {
    /// The local time of day of a time since 1970: `14:02:31`.
    package func timeOfDay(_ time: Duration) -> String {
        WallTime(start: .zero).timeOfDay(at: local(time))
    }

    /// The local day of a time since 1970, in six columns: ` 3 Nov`, `12 Nov`.
    package func day(_ time: Duration) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = WallTime(start: .zero).timestamp(at: local(time)).prefix(10).split(separator: "-")
        guard parts.count == 3, let month = Int(parts[1]), months.indices.contains(month - 1) else { return "" }
        let day = parts[2].hasPrefix("0") ? " \(parts[2].dropFirst())" : String(parts[2])
        return "\(day) \(months[month - 1])"
    }
}

extension Double {
    /// An availability, 0…1, in per cent with two decimals, rounded down: only one is `100%`.
    package var availabilityText: String {
        guard self < 1 else { return "100%" }
        let hundredths = Int((self * 10_000).rounded(.down))
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)%"
    }
}

extension WatchedSpan.State {
    /// The name on the screen.
    package var name: String {
        self == .unwatched ? "not watched" : rawValue
    }
}
