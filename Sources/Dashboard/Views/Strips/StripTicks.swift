import Monitoring

/// The labels of the slices of strips, at round local times: days, or times of day.
struct StripTicks: Sendable, Hashable {
    /// A label below a slice.
    struct Tick: Sendable, Hashable {
        /// The index of the slice below which the label begins.
        let slice: Int
        let label: String
    }

    /// The distances between labels.
    private static let distances: [Duration] =
        [300, 600, 900, 1_800].map { .seconds($0) }
        + [1, 2, 3, 6, 12, 24, 48, 120, 240, 480, 720].map { .seconds($0 * 3_600) }
    /// The blanks between two labels.
    private static let gap = 2

    /// The labels, oldest first, of which none overlap.
    let ticks: [Tick]

    /// Creates the labels of slices: as many as have room. The last columns are left for `now`.
    init(_ axis: StripAxis, zone: ZoneOffsets) {
        let step = axis.step.nanoseconds
        let distance = Self.distances.first { distance in
            let length = distance.nanoseconds
            return length % step == 0 && Int(length / step) >= Self.width(of: distance) + Self.gap
        }
        guard let distance else {
            ticks = []
            return
        }
        let width = Self.width(of: distance)
        var ticks: [Tick] = []
        for slice in 1..<max(1, axis.count) where slice + width + Self.gap + 3 <= axis.count {
            let time = axis.slice(slice).lowerBound
            guard zone.local(time).nanoseconds % distance.nanoseconds == 0 else { continue }
            // A change of the offset may bring two of them close together.
            if let last = ticks.last, slice < last.slice + width + 1 { continue }
            let label = width == 5 ? String(zone.timeOfDay(time).prefix(5)) : zone.day(time)
            ticks.append(Tick(slice: slice, label: String(label.drop { $0 == " " })))
        }
        self.ticks = ticks
    }

    /// The width of the labels: a time of day, or a day.
    private static func width(of distance: Duration) -> Int {
        distance < .seconds(86_400) ? 5 : 6
    }

    /// The line of the labels, with `now` at the end.
    func line(cells: Int) -> String {
        var text = ""
        for tick in ticks {
            text += String(repeating: " ", count: max(0, tick.slice - text.count)) + tick.label
        }
        guard cells >= 3 else { return text }
        return text + String(repeating: " ", count: max(0, cells - 3 - text.count)) + "now"
    }
}
