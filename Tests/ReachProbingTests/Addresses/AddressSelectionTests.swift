import ReachMonitoring
import Testing

@testable import ReachProbing

/// The choice of the address for a probe, and when its loss counts.
struct AddressSelectionTests {
    private let one = IPAddress(ipv4: 0xC000_0201)
    private let two = IPAddress(ipv4: 0xC000_0202)
    private let three = IPAddress(ipv4: 0xC000_0203)
    private let refused = Outcome.failure(Failure(.refused))
    private let unreachable = Outcome.failure(Failure(.networkUnreachable))

    @Test func `after a timeout, the next probe goes to the next address`() {
        let selection = AddressSelection([one, two])
        #expect(selection.current == one)
        #expect(selection.failed(1, sent: .zero, at: one, with: .timeout, fall: 3) == .end(.timeout, one, start: nil))
        #expect(selection.current == two)
        selection.replied(2, from: two)
        #expect(selection.current == two)
    }

    @Test func `a failed probe is sent to the next address at once and keeps its start`() {
        let selection = AddressSelection([one, two, three])
        #expect(selection.failed(1, sent: .seconds(1), at: one, with: refused, fall: 3) == .send(to: two))
        #expect(selection.failed(1, sent: .seconds(2), at: two, with: unreachable, fall: 3) == .send(to: three))
        let verdict = selection.failed(1, sent: .seconds(3), at: three, with: unreachable, fall: 3)
        #expect(verdict == .end(refused, one, start: .seconds(1)))
    }

    @Test func `the loss that takes the target down is reported after every address was tried`() {
        let selection = AddressSelection([one, two, three])
        #expect(selection.failed(1, sent: .zero, at: one, with: .timeout, fall: 1) == .send(to: two))
        #expect(selection.failed(1, sent: .seconds(1), at: two, with: .timeout, fall: 1) == .send(to: three))
        let verdict = selection.failed(1, sent: .seconds(2), at: three, with: .timeout, fall: 1)
        #expect(verdict == .end(.timeout, one, start: .zero))
        // Each was tried: the next loss counts.
        let next = selection.current
        #expect(
            selection.failed(2, sent: .seconds(3), at: next, with: .timeout, fall: 1)
                == .end(.timeout, next, start: nil)
        )
    }

    @Test func `probes in flight to a dead address do not take the target down`() {
        let selection = AddressSelection([one, two])
        for sequence in 1...2 {
            let verdict = selection.failed(sequence, sent: .zero, at: one, with: .timeout, fall: 3)
            #expect(verdict == .end(.timeout, one, start: nil))
        }
        for sequence in 3...5 {
            #expect(selection.failed(sequence, sent: .zero, at: one, with: .timeout, fall: 3) == .send(to: two))
        }
        #expect(selection.failed(3, sent: .zero, at: two, with: .timeout, fall: 3) == .end(.timeout, one, start: .zero))
    }

    @Test func `with as many losses as addresses, no probe is sent again`() {
        let selection = AddressSelection([one, two, three])
        for sequence in 1...6 {
            let address = selection.current
            #expect(address == [one, two, three][(sequence - 1) % 3])
            let verdict = selection.failed(sequence, sent: .zero, at: address, with: .timeout, fall: 3)
            #expect(verdict == .end(.timeout, address, start: nil))
        }
    }

    @Test func `the address that replied stays in use when the order changes`() {
        let selection = AddressSelection([one, two])
        selection.replied(1, from: two)
        #expect(selection.order == [two, one])
        selection.update(to: [one, three, two])
        #expect(selection.current == two)
        selection.update(to: [one, three])
        #expect(selection.current == one)
    }

    @Test func `a reply starts a new streak`() {
        let selection = AddressSelection([one, two])
        _ = selection.failed(1, sent: .zero, at: one, with: .timeout, fall: 2)
        selection.replied(2, from: two)
        // The first loss of two counts, although the other address lost no probe.
        #expect(selection.failed(3, sent: .zero, at: two, with: .timeout, fall: 2) == .end(.timeout, two, start: nil))
        // Before the second loss counts, the address that lost before the reply must lose again.
        #expect(selection.failed(4, sent: .zero, at: two, with: .timeout, fall: 2) == .send(to: one))
    }

    @Test func `an address that was removed and added again has no losses`() {
        let selection = AddressSelection([one, two])
        #expect(selection.failed(1, sent: .zero, at: one, with: .timeout, fall: 5) == .end(.timeout, one, start: nil))
        selection.update(to: [two, three])
        selection.update(to: [one, two])
        #expect(selection.failed(2, sent: .zero, at: two, with: .timeout, fall: 2) == .send(to: one))
    }

    @Test func `probes in flight are discarded after a stall`() {
        let selection = AddressSelection([one, two])
        #expect(selection.failed(1, sent: .zero, at: one, with: refused, fall: 3) == .send(to: two))
        selection.discardInFlight()
        #expect(selection.failed(1, sent: .seconds(9), at: two, with: refused, fall: 3) == .send(to: one))
        let verdict = selection.failed(1, sent: .seconds(9), at: one, with: refused, fall: 3)
        #expect(verdict == .end(refused, two, start: .seconds(9)))
    }

    @Test func `without descriptors no other address is tried`() {
        let selection = AddressSelection([one, two])
        let fault = Outcome.fault(Fault(.tooManyFiles, detail: "x"))
        #expect(selection.failed(1, sent: .zero, at: one, with: fault, fall: 1) == .end(fault, one, start: nil))
    }

    @Test func `families alternate, the preferred one first, without duplicates`() {
        let (six, seven) = (IPAddress(ipv6: 1, 6), IPAddress(ipv6: 1, 7))
        #expect([six, seven, six, one, two, three].interleaved == [six, one, seven, two, three])
        #expect([one, two].interleaved == [one, two])
        #expect([IPAddress]().interleaved.isEmpty)
        let many = (0..<140).map { IPAddress(ipv4: $0) }
        #expect(many.interleaved == Array(many.prefix(128)))
    }
}
