/// The figures of many targets in one minute, as bytes: what is on disk until the hour is over.
package enum MinuteSnapshot {
    /// Figures of targets by their numbers in the file.
    package typealias Figures = [(target: Int64, figures: ProbeFigures)]

    /// The figures in bytes, about six for each target.
    package static func bytes(of figures: Figures) -> [UInt8] {
        var writer = CompactWriter()
        var last: Int64 = 0
        for (target, one) in figures.sorted(by: { $0.target < $1.target }) {
            writer.write(count: Int(target - last))
            last = target
            writer.write(count: one.sent)
            writer.write(count: one.lost)
            writer.write(count: one.roundTrips.map { $0.p50.number + 1 } ?? 0)
            guard let roundTrips = one.roundTrips else { continue }
            writer.write(count: roundTrips.p95.number - roundTrips.p50.number)
            writer.write(count: roundTrips.longest.number - roundTrips.p95.number)
        }
        return writer.bytes
    }

    /// The number of the first target in the bytes; nil without one.
    package static func firstTarget(in bytes: [UInt8]) -> Int64? {
        var reader = CompactReader(bytes)
        return reader.readCount().map { Int64($0) }
    }

    /// Reads figures. Damaged bytes end them.
    package static func figures(in bytes: [UInt8]) -> Figures {
        var figures: Figures = []
        read(bytes) { figures.append(($0, $1)) }
        return figures
    }

    /// Calls a closure with the number and the figures of each target in bytes, in the order of the numbers. Damaged bytes
    /// end them.
    package static func read(_ bytes: [UInt8], _ body: (Int64, ProbeFigures) -> Void) {
        var reader = CompactReader(bytes)
        var target: Int64 = 0
        while let step = reader.readCount(), let sent = reader.readCount(), let lost = reader.readCount(),
            let median = reader.readCount()
        {
            target += Int64(step)
            var one = ProbeFigures(sent: sent, lost: lost)
            if median > 0 {
                guard let p50 = RoundTripBucket(number: median - 1), let second = reader.readCount(),
                    let p95 = RoundTripBucket(number: p50.number + second), let last = reader.readCount(),
                    let longest = RoundTripBucket(number: p95.number + last)
                else { return }
                one.roundTrips = .init(p50: p50, p95: p95, p99: longest, longest: longest)
            }
            body(target, one)
        }
    }
}
