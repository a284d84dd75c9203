/// The usual round-trip level for each hour of the day, over about the last seven days.
///
/// An hour's level is the mean logarithm of its replies, spikes limited. Each new day counts a quarter: the weights of an
/// exponential average with the mean age of seven days. 53 bytes.
struct HourlyLevels: Sendable, Hashable {
    /// The mean of the current hour, as a logarithm of microseconds.
    private var mean: Float = 0
    /// The levels of 24 hours; see ``code(_:)``. Zero where there is none. Two in each word.
    /// A tuple needs no heap storage.
    private var words:
        (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) =
            (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    /// The current hour, 0…23, or 31 before the first reply, and ``usualHours`` · 32.
    private var clock: UInt8 = 31

    /// The current hour, 0…23; nil before the first reply.
    private var hour: Int? { clock & 31 < 24 ? Int(clock & 31) : nil }

    /// The number of successive hours whose level was the usual one, limited to ``settledHours``.
    private(set) var usualHours: UInt8 {
        get { clock >> 5 }
        set { clock = clock & 31 | newValue << 5 }
    }

    /// The weight of a new day: 2 / (7 + 1).
    static let dayShare: Float = 0.25
    /// After these many usual hours, the daily pattern explains the level.
    static let settledHours: UInt8 = 3

    /// The distance of a level from the usual ones, as a share of the smallest change that counts.
    static let tolerance: Float = 0.25

    /// Codes of levels: 16 bits for −3…20, that is 50 ns…8 min, in steps of 0.035 %.
    private static let lowest: Float = -3
    private static let steps: Float = 2849

    /// The code of a level.
    static func code(_ level: Float) -> UInt16 {
        UInt16(max(1, min(65_535, ((level - lowest) * steps).rounded())))
    }

    private subscript(hour: Int) -> UInt16 {
        get {
            withUnsafeBytes(of: words) { $0.load(fromByteOffset: hour * 2, as: UInt16.self) }
        }
        set {
            withUnsafeMutableBytes(of: &words) { $0.storeBytes(of: newValue, toByteOffset: hour * 2, as: UInt16.self) }
        }
    }

    /// The usual level for an hour of the day; nil without one.
    func level(for hour: Int) -> Float? {
        guard (0..<24).contains(hour) else { return nil }
        let code = self[hour]
        return code == 0 ? nil : Self.lowest + Float(code) / Self.steps
    }

    /// Whether the daily pattern explains a change: the level before it is usual for any hour of the day, and the level
    /// after it for this hour, the one before or the one after. A pattern is not punctual.
    func explains(from before: Float, to after: Float, at hour: Int, under settings: ShiftSettings) -> Bool {
        guard usualHours >= Self.settledHours, level(for: hour) != nil else { return false }
        let near = range(of: [(hour + 23) % 24, hour, (hour + 1) % 24])
        return covers(near, after, under: settings) && covers(range(of: 0..<24), before, under: settings)
    }

    private func range(of hours: some Sequence<Int>) -> (low: Float, high: Float) {
        hours.reduce((Float.infinity, -Float.infinity)) { range, hour in
            guard let level = level(for: hour) else { return range }
            return (min(range.0, level), max(range.1, level))
        }
    }

    /// Whether a range contains a level, with a tolerance. The tolerance is too small for a change within it to be large.
    private func covers(_ range: (low: Float, high: Float), _ level: Float, under settings: ShiftSettings) -> Bool {
        let nearest = max(range.low, min(range.high, level))
        return nearest == level || !settings.isLarge(from: nearest, to: level, share: Self.tolerance)
    }

    /// Forgets that the level was usual: a change was reported.
    mutating func markUnusual() { usualHours = 0 }

    /// Records a reply's level.
    ///
    /// - Parameter current: the level of the segment, which decides at the end of an hour whether the hour was usual.
    mutating func record(_ level: Float, current: Float, hour now: Int, under settings: ShiftSettings) {
        guard (0..<24).contains(now) else { return }
        if now != hour {
            if let hour { end(hour, under: settings) }
            clock = clock & ~31 | UInt8(now)
            mean = current
        }
        mean += max(-0.5, min(0.5, level - mean)) / 16
    }

    private mutating func end(_ ended: Int, under settings: ShiftSettings) {
        guard let old = level(for: ended) else {
            self[ended] = Self.code(mean)
            return usualHours = 0
        }
        usualHours = settings.isLarge(from: old, to: mean) ? 0 : min(usualHours + 1, Self.settledHours)
        self[ended] = Self.code(old + (mean - old) * Self.dayShare)
    }

    // MARK: Snapshots

    /// The levels of 24 hours as codes; zero where there is none.
    var codes: [UInt16] { (0..<24).map { self[$0] } }

    static func == (a: HourlyLevels, b: HourlyLevels) -> Bool {
        a.codes == b.codes && a.mean == b.mean && a.clock == b.clock
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(codes)
        hasher.combine(mean)
        hasher.combine(clock)
    }

    init() {}

    /// Restores the levels. Surplus codes are ignored; missing ones mean that there is no level.
    init(codes: [UInt16], usualHours: UInt8) {
        for (hour, code) in codes.prefix(24).enumerated() { self[hour] = code }
        self.usualHours = min(usualHours, Self.settledHours)
    }
}
