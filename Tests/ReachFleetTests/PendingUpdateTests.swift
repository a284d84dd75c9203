@testable import ReachFleet
import ReachMonitoring
import Testing

struct PendingUpdateTests {
    private func report(_ vantage: String, _ health: Health, at second: Int) -> VantageReport {
        VantageReport(vantagePoint: vantage, health: health, sampled: .seconds(second), time: .seconds(second))
    }

    @Test func `updates that wait are one, with the newest report of each vantage point`() async {
        let pending = PendingUpdate()
        for second in 1...1_000 {
            var update = FleetUpdate()
            if second == 1 {
                update.targets = [Target(name: "Shop", question: .fleet(FleetQuestion(instance: "shop")))]
                update.reports["Shop"] = [report("Berlin", .down, at: 1)]
            }
            update.reports["Shop", default: []].append(report("Oslo", .up, at: second))
            update.reporting["Oslo"] = .seconds(second)
            update.servers = [FleetServer(name: "server \(second)")]
            pending.add(update)
        }
        let update = await pending.next()
        #expect(update?.targets?.map(\.name) == ["Shop"])
        #expect(update?.reports["Shop"] == [report("Berlin", .down, at: 1), report("Oslo", .up, at: 1_000)])
        #expect(update?.reporting == ["Oslo": .seconds(1_000)])
        #expect(update?.servers.map(\.name) == ["server 1000"])

        pending.add(FleetUpdate())
        #expect(await pending.next() == FleetUpdate())
    }
}
