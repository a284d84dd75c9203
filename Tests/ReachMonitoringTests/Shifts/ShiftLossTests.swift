import Testing

@testable import ReachMonitoring

@Suite("Loss rate")
struct ShiftLossTests {
    @Test("A rise of the loss rate is reported and dated")
    func rise() throws {
        var feed = ShiftFeed(seed: 5)
        feed.send(300, level: 12)
        let began = feed.now + feed.interval
        feed.send(100, level: 12, loss: 0.25)
        let shift = try #require(feed.lossReports.first)
        #expect(feed.lossReports.count == 1)
        #expect(shift.before < 0.01)
        #expect(shift.after > 0.1 && shift.after < 0.7)
        #expect(shift.began >= began - .seconds(2) && shift.began <= began + .seconds(20))
        #expect(feed.reports.isEmpty)
    }

    @Test("A fall is reported too")
    func fall() throws {
        var feed = ShiftFeed(seed: 6)
        feed.send(300, level: 12, loss: 0.3)
        #expect(feed.lossReports.isEmpty)
        let began = feed.now + feed.interval
        feed.send(100, level: 12)
        #expect(feed.lossReports.count == 1)
        let shift = try #require(feed.lossReports.first)
        #expect(shift.after < shift.before)
        #expect(abs((shift.began - began) / .seconds(1)) <= 12)
    }

    @Test("The end of a low loss rate is reported once")
    func lowRate() throws {
        var feed = ShiftFeed(seed: 16)
        feed.send(2000, level: 12, loss: 0.09)
        let before = feed.lossReports.count
        feed.send(2000, level: 12)
        #expect(before <= 1)
        #expect(feed.lossReports.count == before + 1)
        #expect(feed.lossReports.last.map { $0.after < $0.before } == true)
    }

    @Test("Constant loss is no change", arguments: [0.0, 0.002, 0.02, 0.1, 0.5])
    func constant(rate: Double) {
        var feed = ShiftFeed(seed: 8)
        feed.send(20_000, level: 12, loss: rate)
        #expect(feed.lossReports.count <= 1)
    }

    @Test("The end of a loss is found by the replies in a row, whatever the first estimate was", arguments: 1...20)
    func end(seed: UInt64) {
        var feed = ShiftFeed(seed: seed)
        feed.send(120, level: 12)
        feed.send(160, level: 12, loss: 0.23)
        let began = feed.now
        feed.send(130, level: 12)
        #expect(feed.lossReports.first.map { $0.before < 0.05 } == true)
        #expect(feed.lossReports.last?.after == 0)
        #expect(feed.lossReports.last.map { abs(($0.began - began).inSeconds) <= 25 } == true)
        let rises = feed.lossReports.filter(\.isRise)
        #expect(rises.allSatisfy { $0.after > 0.1 && $0.after < 0.5 })
    }

    @Test("An outage is no change of the loss rate")
    func outage() {
        var feed = ShiftFeed(seed: 9)
        feed.send(300, level: 12)
        for _ in 0..<5 {
            feed.send(40, level: 12, loss: 1)
            feed.send(200, level: 12)
        }
        #expect(feed.lossReports.isEmpty)
        #expect(feed.reports.isEmpty)
    }

    @Test("A gap separates the loss before it from that after it")
    func gap() {
        var feed = ShiftFeed(seed: 10)
        feed.send(300, level: 12)
        for _ in 0..<3 { feed.send(nil) }
        feed.now += .seconds(3600)
        for _ in 0..<3 { feed.send(nil) }
        feed.send(100, level: 12)
        #expect(feed.lossReports.isEmpty)
    }
}
