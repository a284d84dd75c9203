import ReachMonitoring
import ReachSystem

/// A converter from the kernel's time stamps, which are wall-clock time, to the program's time. The wall clock may be
/// set at any moment. A stamp is therefore used only if both clocks ran alike from before the packet arrived.
struct ArrivalClock: Sendable {
    /// The age of the last reading after which both clocks must be read again before a request is sent.
    static let maximumAge = Duration.seconds(1)
    /// The maximum difference caused by reading two clocks one after the other.
    private static let tolerance = Duration.microseconds(50)
    /// The maximum rate, as one part in this number, by which adjtime(3) slows down or speeds up the wall clock.
    private static let slew = 2_000

    /// The time of the last reading of both clocks, and of the one before, in the program's time.
    private(set) var time: Duration?
    private var before: Duration?
    /// How far the wall clock was ahead at the last reading.
    private var offset = Duration.zero
    /// The number of consecutive readings that agree with the one before, at most two.
    private var agreements = 0

    /// Records a reading of both clocks: after packets were read, and before a request is sent if the last reading is
    /// old.
    mutating func read(time: Duration, wall: Duration) {
        let offset = wall - time
        if let last = self.time {
            let change = offset - self.offset
            let limit = Self.tolerance + (time - last) / Self.slew
            agreements = change <= limit && change >= .zero - limit ? min(agreements + 1, 2) : 0
        }
        before = self.time
        self.time = time
        self.offset = offset
    }

    /// Returns when a packet arrived that was read by the last reading and answers a request sent at `sent`; nil if
    /// its stamp cannot be used.
    func arrival(_ stamp: Duration, sent: Duration) -> Duration? {
        // The packet may have arrived before one more reading.
        guard agreements == 2, let time, let before else { return nil }
        let arrival = stamp - offset
        return arrival >= max(sent, before) && arrival <= time ? arrival : nil
    }
}

extension Duration {
    /// The wall-clock time since 1970, in microseconds. The clock may be set at any moment.
    static var sinceEpoch: Duration {
        var time = timeval()
        gettimeofday(&time, nil)
        return .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }
}
