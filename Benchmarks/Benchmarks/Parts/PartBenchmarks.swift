import Allocations
import Benchmark
import Meter
import ReachHooks
import ReachMonitoring
import ReachSettings

// The cost of the parts that every answer passes through, and of the two that handle ten thousand targets at once.
let benchmarks: @Sendable () -> Void = {
    Benchmark.configure(bytes: true)

    measure("record: 1,000 answers of 10,000 targets", items: 1_000, state: { RosterFixture(count: 10_000) }) {
        fixture in
        fixture.prepare()
    } _: { fixture in
        fixture.record()
    }

    measure("verdict: 1,000 outcomes", items: 1_000, state: { Judge(since: .zero) }) { judge in
        var changes = 0
        for number in 0..<1_000 {
            // Three losses in a row of every twenty outcomes, so that the health changes each time.
            let outcome: Outcome =
                number % 20 < 3 ? .timeout : .reply(Reply(roundTrip: .microseconds(1_000 + number)))
            let transition = judge.record(outcome, at: .milliseconds(number), under: Thresholds(slow: .seconds(1)))
            changes += transition == nil ? 0 : 1
        }
        return changes
    }

    measure("percentiles: windows of 100", items: 100, state: { RosterFixture(count: 100) }) { fixture in
        fixture.percentiles()
    }

    // One probe a second for an hour, the longest history of the dashboard. The result is the memory of one target.
    measure("memory: an hour of a target", items: 360_000, writesBytes: true, state: { 100 }) { count in
        let before = memory_in_use()
        var fixture = RosterFixture(count: count, span: .seconds(3_600), batches: 0)
        for _ in 0..<3_600 {
            fixture.prepare(count)
            _ = fixture.record()
        }
        let used = memory_in_use() - before
        return withExtendedLifetime(fixture) { Int(used) / count }
    }

    measure(
        "settings: 10,000 targets read and validated",
        items: 10_000,
        state: { SettingsFixture.text(count: 10_000) }
    ) {
        text in
        let reader = SettingsReader(file: "dashboard.toml", environment: [:])
        return (try? reader.settings(from: text).targets.count) ?? 0
    }

    measure("hook queue: 1,000 runs of 500 targets", items: 1_000, state: { HookRunsFixture(count: 1_000) }) {
        fixture in
        fixture.runAll()
    }
}
