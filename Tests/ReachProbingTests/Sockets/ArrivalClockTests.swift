import Testing

@testable import ReachProbing

struct ArrivalClockTests {
    /// The wall-clock time at the start of the program.
    private let epoch = Duration.seconds(1_800_000_000)

    /// A clock with readings at these times, in milliseconds, of two clocks that run alike.
    private func clock(_ times: Int...) -> ArrivalClock {
        var clock = ArrivalClock()
        for time in times { clock.read(time: .milliseconds(time), wall: epoch + .milliseconds(time)) }
        return clock
    }

    @Test func `a stamp is converted to the program's time`() {
        let clock = clock(0, 10, 20)
        let arrival = clock.arrival(epoch + .microseconds(17_250), sent: .milliseconds(15))
        #expect(arrival == .microseconds(17_250))
    }

    @Test func `without readings, stamps are not used`() {
        #expect(ArrivalClock().arrival(epoch, sent: .zero) == nil)
        #expect(clock(0, 20).arrival(epoch + .milliseconds(17), sent: .milliseconds(15)) == nil)
    }

    @Test(arguments: [-3_600_000, -5, -1, 1, 5, 3_600_000])
    func `stamps are not used when the clock was set between sending and receiving`(milliseconds: Int) {
        var clock = clock(0, 10, 20)
        let step = Duration.milliseconds(milliseconds)
        // The clock was set at 25 ms: before a packet that arrived at 26 ms, or after one at 24 ms.
        clock.read(time: .milliseconds(30), wall: epoch + step + .milliseconds(30))
        #expect(clock.arrival(epoch + step + .milliseconds(26), sent: .milliseconds(21)) == nil)
        #expect(clock.arrival(epoch + .milliseconds(24), sent: .milliseconds(21)) == nil)
        // The stamp of a packet that waited during a further reading is not used either.
        clock.read(time: .milliseconds(40), wall: epoch + step + .milliseconds(40))
        #expect(clock.arrival(epoch + .milliseconds(24), sent: .milliseconds(21)) == nil)
        clock.read(time: .milliseconds(50), wall: epoch + step + .milliseconds(50))
        let arrival = clock.arrival(epoch + step + .milliseconds(45), sent: .milliseconds(41))
        #expect(arrival == .milliseconds(45))
    }

    @Test func `stamps are used when adjtime slews the clock`() {
        var clock = ArrivalClock()
        for second in 0..<5 {
            clock.read(time: .seconds(second), wall: epoch + .seconds(second) + .microseconds(400 * second))
        }
        let stamp = epoch + .microseconds(3_999_000 + 1_600)
        #expect(clock.arrival(stamp, sent: .milliseconds(3_990)) == .milliseconds(3_999))
    }

    @Test func `stamps before the request or in the future are not used`() {
        let clock = clock(0, 10, 20)
        #expect(clock.arrival(epoch + .milliseconds(14), sent: .milliseconds(15)) == nil)
        #expect(clock.arrival(epoch + .milliseconds(21), sent: .milliseconds(15)) == nil)
    }

    @Test func `stamps before the last but one reading are not used`() {
        #expect(clock(0, 10, 20).arrival(epoch + .milliseconds(9), sent: .milliseconds(5)) == nil)
    }
}
