import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

@Suite struct NaturalKeyTests {
    @Test(arguments: [
        ["10.0.0.2", "10.0.0.9", "10.0.0.10", "10.0.0.100", "192.0.2.1"],
        ["web-1", "web-2", "web-10", "web-10a"],
        ["fe80::9", "fe80::a", "fe80::10", "fe80::1:0"],
        ["9.9.9.9", "2001:db8::1", "7 of 9", "router"],
        ["A", "b", "C"],
        ["tcp://10.0.0.9:80", "tcp://10.0.0.10:8", "tcp://10.0.0.10:80"],
        ["1", "01x", "2"],
    ])
    func `numbers and addresses are in the order of their values`(texts: [String]) {
        #expect(texts.reversed().sorted { NaturalKey($0) < NaturalKey($1) } == texts)
        #expect((texts + [nil]).reversed().sorted { NaturalKey($0) < NaturalKey($1) } == texts + [nil])
    }

    @Test(arguments: [Sort.name, .url])
    func `the table sorts addresses by number`(sort: Sort) {
        let addresses = ["10.0.0.10", "10.0.0.9", "10.0.0.100", "10.0.0.2"]
        var scene = Scene(addresses.map { .make($0, url: "icmp://\($0)") })
        let settings = Settings(targets: scene.model.roster.targets)
        scene.send(.settings(settings))
        while scene.model.list.sort != sort { scene.press(.character("s")) }
        let names = scene.model.list.order.positions.map { scene.model.roster.states[$0].target.name }
        #expect(names == ["10.0.0.2", "10.0.0.9", "10.0.0.10", "10.0.0.100"])
    }
}

@Suite struct RecentWidthTests {
    @Test func `a width grows at once, and shrinks when the text was gone for half a minute`() {
        var width = RecentWidth()
        width.record(14, at: .seconds(1))
        width.record(34, at: .seconds(2))
        #expect(width.width == 34)
        for second in 3..<32 { width.record(14, at: .seconds(second)) }
        #expect(width.width == 34)
        for second in 32..<62 { width.record(14, at: .seconds(second)) }
        #expect(width.width == 14)
    }

    @Test func `a text that comes and goes does not move the columns`() {
        var width = RecentWidth()
        for second in 0..<300 {
            width.record(second % 20 == 0 ? 34 : 10, at: .seconds(second))
            #expect(width.width == 34)
        }
    }
}
