import LibC
import Monitoring

/// Turns the kernel's time stamps, which are of the clock on the wall, into the program's time. That clock may be set at
/// any moment: what it says counts only where it ran beside the program's from before the packet came.
struct ArrivalClock: Sendable {
    /// After how long both clocks have to be read again before something is asked.
    static let patience = Duration.seconds(1)
    /// What reading two clocks one after the other may differ by.
    private static let tolerance = Duration.microseconds(50)
    /// By how much adjtime(3) slows down or speeds up the clock on the wall, as one part in so many.
    private static let slew = 2_000

    /// When both clocks were read last and before, by the program's.
    private(set) var time: Duration?
    private var before: Duration?
    /// What the clock on the wall was ahead by when it was read last.
    private var lead = Duration.zero
    /// How many readings agree with those before them, up to two.
    private var agreeing = 0

    /// Reads both clocks: after packets were read, and before something is asked if that was long ago.
    mutating func read(time: Duration, wall: Duration) {
        let lead = wall - time
        if let last = self.time {
            let change = lead - self.lead
            let most = Self.tolerance + (time - last) / Self.slew
            agreeing = change <= most && change >= .zero - most ? min(agreeing + 1, 2) : 0
        }
        before = self.time
        self.time = time
        self.lead = lead
    }

    /// When a packet arrived that was read by the last reading and answers what was asked then; nil where its stamp
    /// cannot tell.
    func arrival(_ stamp: Duration, asked: Duration) -> Duration? {
        // The packet may have come before one reading more.
        guard agreeing == 2, let time, let before else { return nil }
        let arrival = stamp - lead
        return arrival >= max(asked, before) && arrival <= time ? arrival : nil
    }
}

extension Duration {
    /// What the clock on the wall shows, in microseconds: the time since 1970. It may be set at any moment.
    static var sinceEpoch: Duration {
        var time = timeval()
        gettimeofday(&time, nil)
        return .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }
}
