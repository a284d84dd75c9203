import ReachBasics

/// A finished probe of a target, for the history on disk.
package struct TargetSample: Sendable, Hashable {
    package let target: Target.ID
    package let sample: Sample

    package init(_ target: Target.ID, _ sample: Sample) {
        self.target = target
        self.sample = sample
    }

    /// The sample of an observation; nil for a fault.
    package init?(_ observation: Observation) {
        let packed: PackedRoundTrip
        switch observation.outcome {
        case .reply(let reply):
            packed = reply.nanoseconds.map { PackedRoundTrip(nanoseconds: $0) } ?? .replyWithoutRoundTrip
        case .timeout, .failure:
            packed = .loss
        case .fault:
            return nil
        }
        self.init(observation.target, Sample(time: observation.timeNanoseconds, packed: packed))
    }
}

/// Collects the samples of all targets, and returns those of each minute of the wall clock when it is over.
package struct MinuteCollector: Sendable {
    /// The samples of one minute.
    package struct Minute: Sendable {
        /// The number of the minute since 1970.
        package let number: Int64
        /// The wall time of the program's start, from which the times of the samples are counted.
        package let start: Duration
        package let samples: CompactSamples
    }

    private var minutes: [Int64: CompactSamples] = [:]
    /// The number of samples of the last minute, which the next one is likely to have.
    private var usualCount = 0
    /// The first minute that is not over.
    private var first = Int64.min
    private var start = Duration.zero

    package init() {}

    /// Whether there are samples that were not returned.
    package var isEmpty: Bool { minutes.isEmpty }

    /// Adds samples. One of a minute that is over counts for the next one.
    ///
    /// - Parameter start: the wall time of the program's start. If it differs from before by more than a second, the
    ///   wall clock was set, and all minutes until now are over.
    /// - Returns: the minutes that are over because the clock was set.
    package mutating func add(_ samples: [TargetSample], startingAt start: Duration) -> [Minute] {
        var ended: [Minute] = []
        if abs((start - self.start).nanoseconds) > 1_000_000_000 {
            ended = removeAll()
            (self.start, first) = (start, .min)
        }
        let origin = self.start.nanoseconds
        for sample in samples {
            let minute = max(first, Self.minute(at: origin + sample.sample.timeNanoseconds))
            if minutes[minute] == nil { minutes[minute] = empty(minute) }
            minutes[minute]?.append(sample)
        }
        return ended
    }

    private func empty(_ minute: Int64) -> CompactSamples {
        CompactSamples(near: .seconds(minute * 60 + 30) - start, expecting: usualCount)
    }

    /// Returns the minutes that ended before a wall time, oldest first.
    package mutating func end(before time: Duration) -> [Minute] {
        let current = Self.minute(at: time.nanoseconds)
        let ended = removeMinutes { $0 < current }
        first = max(first, current)
        return ended
    }

    /// Returns all minutes, the last of which is not over.
    package mutating func removeAll() -> [Minute] {
        removeMinutes { _ in true }
    }

    private mutating func removeMinutes(where isOver: (Int64) -> Bool) -> [Minute] {
        guard !minutes.isEmpty else { return [] }
        return minutes.keys.filter(isOver).sorted().compactMap { number in
            minutes.removeValue(forKey: number).map { samples in
                usualCount = samples.count
                return Minute(number: number, start: start, samples: samples)
            }
        }
    }

    private static func minute(at nanoseconds: Int64) -> Int64 {
        nanoseconds.floorDivided(by: 60_000_000_000)
    }
}

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
