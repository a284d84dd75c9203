import Allocations
import Benchmark
import Hooks
import Meter
import Monitoring
import SettingsFile

// What the parts cost that every answer passes, and the two that ten thousand targets pass at once.
let benchmarks: @Sendable () -> Void = {
    Benchmark.configure(bytes: true)

    measure("record: 1,000 answers of 10,000 targets", items: 1_000, state: { Watched(count: 10_000) }) { watched in
        watched.prepare()
    } _: { watched in
        watched.record()
    }

    measure("verdict: 1,000 outcomes", items: 1_000, state: { Judge(since: .zero) }) { judge in
        var changes = 0
        for number in 0..<1_000 {
            // Three losses in a row each time, so that it goes down and comes back.
            let outcome: Outcome =
                number % 20 < 3 ? .timeout : .reply(Reply(roundTrip: .microseconds(1_000 + number)))
            let transition = judge.record(outcome, at: .milliseconds(number), under: Thresholds(slow: .seconds(1)))
            changes += transition == nil ? 0 : 1
        }
        return changes
    }

    measure("percentiles: windows of 100", items: 100, state: { Watched(count: 100) }) { watched in
        watched.percentiles()
    }

    // Once a second for an hour, which is all that the dashboard keeps; the figure is that of one target.
    measure("memory: an hour of a target", items: 360_000, writesBytes: true, state: { 100 }) { count in
        let before = memory_in_use()
        var watched = Watched(count: count, span: .seconds(3_600), batches: 0)
        for _ in 0..<3_600 {
            watched.prepare(count)
            _ = watched.record()
        }
        let used = memory_in_use() - before
        return withExtendedLifetime(watched) { Int(used) / count }
    }

    measure("settings: 10,000 targets read and validated", items: 10_000, state: { Text.settings(of: 10_000) }) {
        text in
        let reader = SettingsReader(file: "dashboard.toml", environment: [:])
        return (try? reader.settings(from: text).targets.count) ?? 0
    }

    measure("hook queue: 1,000 runs of 500 targets", items: 1_000, state: { Runs(count: 1_000) }) { runs in
        runs.pass()
    }
}
