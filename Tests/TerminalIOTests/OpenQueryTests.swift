import Testing

@testable import TerminalIO

@Suite struct `Open query` {
    private let begin = ContinuousClock.now
    private var query = OpenQuery()

    private func isOpen(after milliseconds: Int) -> Bool { query.isOpen(at: begin + .milliseconds(milliseconds)) }

    @Test mutating func `is open until both answers are there`() {
        #expect(!isOpen(after: 0))
        query.send(at: begin)
        #expect(isOpen(after: 1_900))
        let received = query.receiveBackground(at: begin + .milliseconds(300))
        #expect(received)
        #expect(isOpen(after: 350))
        query.receiveAttributes()
        #expect(!isOpen(after: 350))
    }

    @Test mutating func `a terminal that does not report its background has answered with its attributes`() {
        query.send(at: begin)
        query.receiveAttributes()
        #expect(!isOpen(after: 1))
        let received = query.receiveBackground(at: begin)
        #expect(received, "a late report still counts")
    }

    @Test mutating func `attributes come soon after the background, or not at all`() {
        query.send(at: begin)
        var received = query.receiveBackground(at: begin)
        #expect(received)
        received = query.receiveBackground(at: begin)
        #expect(!received)
        #expect(isOpen(after: 99) && !isOpen(after: 100))
    }

    @Test mutating func `a silent terminal does not answer`() {
        query.send(at: begin)
        #expect(isOpen(after: 1_999) && !isOpen(after: 2_000))
    }
}
