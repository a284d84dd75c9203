import Benchmark
import Meter
import ReachScreen

// The cost of a screen with ten thousand targets, each probed once a second. A frame is drawn, compared with the last one,
// and encoded.
let benchmarks: @Sendable () -> Void = {
    Benchmark.configure(bytes: true)
    let views: [(String, [Key])] = [
        ("table", []),
        ("table, failing first", [.character("s")]),
        ("table, 95th percentile", Array(repeating: .character("s"), count: 4)),
        ("wall", [.character("2")]),
        ("graphs", [.character("3")]),
        // 90 days of 40 targets.
        ("strips", [.character("4"), .character("+"), .character("+"), .character("+")]),
    ]
    for (name, keys) in views {
        measureDashboard("frame: \(name)", keys) {
            $0.advance()
        } _: {
            $0.frame()
        }
    }
    measureDashboard("tick: 1,000 answers", []) {
        _ = $0.frame()
    } _: { fixture in
        fixture.advance()
        return 0
    }
    for (name, keys) in views {
        measureDashboard("key: \(name)", keys) {
            $0.advance()
        } _: {
            $0.press(.character("j"))
        }
    }
}

/// Measures `work` on a dashboard of ten thousand targets. `work` returns the number of bytes for the terminal.
@Sendable private func measureDashboard(
    _ name: String,
    _ keys: [Key],
    prepare: @escaping @Sendable (inout DashboardFixture) -> Void,
    _ work: @escaping @Sendable (inout DashboardFixture) -> Int
) {
    measure(
        name,
        writesBytes: true,
        // Of the strips, 40 rows fit.
        state: { DashboardFixture(count: 10_000, rows: name.hasSuffix("strips") ? 54 : 50, keys: keys) },
        prepare: prepare,
        work
    )
}
