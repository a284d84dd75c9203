import ReachMonitoring
import Testing

@testable import ReachProbing

/// The schedule of connection attempts, without a socket and a clock.
struct ConnectionRaceTests {
    private let one = IPAddress(ipv4: 0xC000_0201)
    private let two = IPAddress(ipv4: 0xC000_0202)
    private let three = IPAddress(ipv4: 0xC000_0203)

    private func race(_ addresses: [IPAddress], until deadline: Duration = .seconds(5)) -> ConnectionRace {
        ConnectionRace(addresses, from: .zero, until: deadline)
    }

    @Test func `the next address is due after 250 ms`() {
        var race = race([one, two, three])
        #expect(race.next(at: .zero) == one)
        #expect(race.next(at: .zero) == nil)
        #expect(race.nextAttempt == .milliseconds(250))
        #expect(race.next(at: .milliseconds(249)) == nil)
        #expect(race.next(at: .milliseconds(250)) == two)
        #expect(race.nextAttempt == .milliseconds(500))
        #expect(race.next(at: .milliseconds(500)) == three)
        #expect(race.nextAttempt == nil)
        #expect(!race.isOver)
    }

    @Test func `the next address is due at once after a failure`() {
        var race = race([one, two])
        _ = race.next(at: .zero)
        race.fail(one, with: .failure(Failure(.refused)), at: .milliseconds(3))
        #expect(race.nextAttempt == .milliseconds(3))
        #expect(race.next(at: .milliseconds(3)) == two)
        #expect(!race.isOver)
        race.fail(two, with: .failure(Failure(.refused)), at: .milliseconds(6))
        #expect(race.isOver)
        #expect(race.nextAttempt == nil)
    }

    @Test func `a single address has no next attempt`() {
        var race = race([one])
        #expect(race.next(at: .zero) == one)
        #expect(race.nextAttempt == nil)
    }

    @Test func `with a repetition, all addresses are tried again while earlier attempts continue`() {
        var race = ConnectionRace([one, two], from: .zero, until: .seconds(5), repetition: .seconds(1))
        #expect(race.next(at: .zero) == one)
        #expect(race.next(at: .milliseconds(250)) == two)
        #expect(race.nextAttempt == .seconds(1))
        #expect(race.next(at: .milliseconds(999)) == nil)
        #expect(race.next(at: .seconds(1)) == one)
        #expect(race.next(at: .milliseconds(1250)) == two)
        #expect(race.nextAttempt == .seconds(2))
    }

    @Test func `a failure ends all attempts to the address`() {
        var race = ConnectionRace([one], from: .zero, until: .seconds(5), repetition: .seconds(1))
        _ = race.next(at: .zero)
        _ = race.next(at: .seconds(1))
        #expect(race.isRunning(one))
        race.fail(one, with: .failure(Failure(.refused)), at: .seconds(1))
        #expect(!race.isRunning(one))
        #expect(race.isOver)
        #expect(race.outcome == (.failure(Failure(.refused)), one))
    }

    @Test func `a short timeout is divided among the addresses`() {
        var race = race([one, two, three], until: .milliseconds(300))
        _ = race.next(at: .zero)
        #expect(race.nextAttempt == .milliseconds(100))
        #expect(race.next(at: .milliseconds(100)) == two)
        #expect(race.next(at: .milliseconds(200)) == three)
    }

    @Test func `an address without a descriptor waits for another attempt to end`() {
        var race = race([one, two])
        _ = race.next(at: .zero)
        #expect(!race.hasOtherAttempts)
        #expect(race.next(at: .milliseconds(250)) == two)
        #expect(race.hasOtherAttempts)
        race.postpone(two, at: .milliseconds(250))
        #expect(race.nextAttempt == .milliseconds(500))
        race.fail(one, with: .timeout, at: .milliseconds(300))
        #expect(race.next(at: .milliseconds(300)) == two)
    }

    @Test func `an address without a descriptor is tried before the others`() {
        var race = race([one, two, three])
        _ = race.next(at: .zero)
        #expect(race.next(at: .milliseconds(250)) == two)
        race.postpone(two, at: .milliseconds(250))
        #expect(race.next(at: .milliseconds(499)) == nil)
        #expect(race.next(at: .milliseconds(500)) == two)
        #expect(race.next(at: .milliseconds(750)) == three)
    }

    @Test func `the most informative outcome is reported`() {
        let cases: [(Outcome, Outcome, Int)] = [
            (.failure(Failure(.networkUnreachable)), .failure(Failure(.refused)), 1),
            (.failure(Failure(.networkUnreachable)), .timeout, 1),
            (.failure(Failure(.refused)), .timeout, 0),
            (.timeout, .failure(Failure(.hostUnreachable)), 1),
            (.failure(Failure(.refused)), .failure(Failure(.reset)), 0),
            (.fault(Fault(.internal, detail: "x")), .timeout, 1),
            (.failure(Failure(.refused)), .fault(Fault(.tooManyFiles, detail: "x")), 1),
        ]
        for (first, second, winner) in cases {
            var race = race([one, two])
            _ = race.next(at: .zero)
            race.fail(one, with: first, at: .zero)
            _ = race.next(at: .zero)
            race.fail(two, with: second, at: .zero)
            #expect(race.outcome.outcome == [first, second][winner])
            #expect(race.outcome.address == [one, two][winner])
        }
    }

    @Test func `an attempt in flight at the deadline counts as a timeout`() {
        var race = race([one, two])
        _ = race.next(at: .zero)
        race.fail(one, with: .failure(Failure(.networkUnreachable)), at: .zero)
        _ = race.next(at: .zero)
        #expect(race.outcome == (.timeout, two))
    }
}
