import ReachMonitoring

/// The figures of one target in successive minutes of an hour, or hours of a day, in about three bytes each.
///
/// Each slot begins with a number. Its lowest two bits are the counts: as many probes as in the slot before and no loss,
/// one probe more, one less, or written out. The other bits are the step of the median from that of the slot before, or
/// zero without round trips. The longer percentiles follow as steps from each other.
struct FigureSeries: Sendable, Hashable {
    /// What a slot is.
    enum Slot: Sendable, Hashable {
        /// A minute of an hour: few probes, whose 99th percentile is the longest round trip.
        case minute
        /// An hour of a day.
        case hour

        /// The number of slots.
        var count: Int {
            switch self {
            case .minute: 60
            case .hour: 24
            }
        }
    }

    let slot: Slot
    /// The figures by the number of the slot.
    var figures: [Int: ProbeFigures] = [:]

    init(_ slot: Slot) {
        self.slot = slot
    }

    /// Adds figures to a slot. If it has some, both are combined.
    mutating func add(_ new: ProbeFigures, to number: Int) {
        guard let old = figures[number] else { return figures[number] = new }
        var sum = FigureSum()
        sum.add(old)
        sum.add(new)
        figures[number] = sum.figures
        // As it is stored.
        guard slot == .minute, let longest = figures[number]?.roundTrips?.longest else { return }
        figures[number]?.roundTrips?.p99 = longest
    }

    /// The figures of all slots together; nil without probes.
    var total: ProbeFigures? {
        var sum = FigureSum()
        for one in figures.values { sum.add(one) }
        return sum.figures
    }

    private static let usualCount = 60

    /// The series in bytes.
    var bytes: [UInt8] {
        var writer = CompactWriter()
        var (next, sent, median) = (0, Self.usualCount, Int64(0))
        for number in 0..<slot.count {
            guard let one = figures[number] else { continue }
            let step = one.roundTrips.map { Int64($0.p50.number) - median }
            let code = step.map { CompactWriter.zigzag($0) + 1 } ?? 0
            let isNext = number == next && one.lost == 0
            switch one.sent - sent {
            case 0 where isNext: writer.write(code << 2)
            case 1 where isNext: writer.write(code << 2 | 1)
            case -1 where isNext: writer.write(code << 2 | 2)
            default:
                writer.write(code << 2 | 3)
                writer.write(count: number - next)
                writer.write(count: one.sent)
                writer.write(count: one.lost)
            }
            (next, sent) = (number + 1, one.sent)
            guard let roundTrips = one.roundTrips else { continue }
            median = Int64(roundTrips.p50.number)
            Self.writeLonger(roundTrips, slot, to: &writer)
        }
        return writer.bytes
    }

    /// Writes the percentiles over the median as steps from each other.
    fileprivate static func writeLonger(
        _ roundTrips: ProbeFigures.RoundTrips,
        _ slot: Slot,
        to writer: inout CompactWriter
    ) {
        writer.write(count: roundTrips.p95.number - roundTrips.p50.number)
        if slot == .hour { writer.write(count: roundTrips.p99.number - roundTrips.p95.number) }
        let shorter = slot == .hour ? roundTrips.p99 : roundTrips.p95
        writer.write(count: roundTrips.longest.number - shorter.number)
    }

    /// Reads a series. Damaged bytes end it.
    init(_ slot: Slot, bytes: [UInt8]) {
        var figures: [Int: ProbeFigures] = [:]
        Self.read(slot, bytes) { figures[$0] = $1 }
        self.slot = slot
        self.figures = figures
    }

    /// Calls a closure with the number and the figures of each slot in the bytes of a series.
    static func read(_ slot: Slot, _ bytes: [UInt8], _ body: (Int, ProbeFigures) -> Void) {
        var reader = CompactReader(bytes)
        var (next, sent, median) = (0, usualCount, Int64(0))
        while let head = reader.read() {
            var lost = 0
            switch head & 3 {
            case 0: break
            case 1: sent += 1
            case 2: sent -= 1
            default:
                guard let gap = reader.readCount(), let count = reader.readCount(), let losses = reader.readCount()
                else { return }
                next += gap
                (sent, lost) = (count, losses)
            }
            guard next < slot.count, sent >= 0 else { return }
            var one = ProbeFigures(sent: sent, lost: lost)
            if head >> 2 > 0 {
                median &+= CompactReader.signed(head >> 2 - 1)
                guard let roundTrips = roundTrips(slot, from: median, &reader) else { return }
                one.roundTrips = roundTrips
            }
            body(next, one)
            next += 1
        }
    }

    /// Reads what ``writeLonger(_:_:to:)`` wrote.
    fileprivate static func roundTrips(
        _ slot: Slot,
        from median: Int64,
        _ reader: inout CompactReader
    ) -> ProbeFigures.RoundTrips? {
        guard let p50 = RoundTripBucket(number: Int(median)), let second = reader.readCount(),
            let p95 = RoundTripBucket(number: p50.number + second)
        else { return nil }
        var p99 = p95
        if slot == .hour {
            guard let third = reader.readCount(), let bucket = RoundTripBucket(number: p95.number + third) else {
                return nil
            }
            p99 = bucket
        }
        guard let last = reader.readCount(), let longest = RoundTripBucket(number: p99.number + last) else {
            return nil
        }
        if slot == .minute { p99 = longest }
        return ProbeFigures.RoundTrips(p50: p50, p95: p95, p99: p99, longest: longest)
    }
}

/// The figures of many targets in one minute, as bytes: what is on disk until the hour is over.
enum MinuteSnapshot {
    /// Figures of targets by their numbers in the file.
    typealias Figures = [(target: Int64, figures: ProbeFigures)]

    /// The figures in bytes, about six for each target.
    static func bytes(of figures: Figures) -> [UInt8] {
        var writer = CompactWriter()
        var last: Int64 = 0
        for (target, one) in figures.sorted(by: { $0.target < $1.target }) {
            writer.write(count: Int(target - last))
            last = target
            writer.write(count: one.sent)
            writer.write(count: one.lost)
            writer.write(count: one.roundTrips.map { $0.p50.number + 1 } ?? 0)
            if let roundTrips = one.roundTrips { FigureSeries.writeLonger(roundTrips, .minute, to: &writer) }
        }
        return writer.bytes
    }

    /// The number of the first target in the bytes; nil without one.
    static func firstTarget(in bytes: [UInt8]) -> Int64? {
        var reader = CompactReader(bytes)
        return reader.readCount().map { Int64($0) }
    }

    /// Reads figures. Damaged bytes end them.
    static func figures(in bytes: [UInt8]) -> Figures {
        var figures: Figures = []
        read(bytes) { figures.append(($0, $1)) }
        return figures
    }

    /// Calls a closure with the number and the figures of each target in bytes, in the order of the numbers. Damaged bytes
    /// end them.
    static func read(_ bytes: [UInt8], _ body: (Int64, ProbeFigures) -> Void) {
        var reader = CompactReader(bytes)
        var target: Int64 = 0
        while let step = reader.readCount(), let sent = reader.readCount(), let lost = reader.readCount(),
            let median = reader.readCount()
        {
            target += Int64(step)
            var one = ProbeFigures(sent: sent, lost: lost)
            if median > 0 {
                guard let roundTrips = FigureSeries.roundTrips(.minute, from: Int64(median - 1), &reader) else {
                    return
                }
                one.roundTrips = roundTrips
            }
            body(target, one)
        }
    }
}
