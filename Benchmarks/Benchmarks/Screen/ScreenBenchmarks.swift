import Benchmark
import Screen

private let time = BenchmarkMetric.custom("thread time (µs)", polarity: .prefersSmaller, useScalingFactor: false)
private let bytes = BenchmarkMetric.custom("bytes", polarity: .prefersSmaller, useScalingFactor: false)

// What the screen of ten thousand targets costs, each of them asked once a second. A frame is drawn, compared with the
// one before it, and encoded.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, time, bytes],
        maxDuration: .seconds(10),
        maxIterations: 300
    )
    let views: [(String, [Key])] = [
        ("table", []),
        ("table, failing first", [.character("s")]),
        ("table, 95th percentile", Array(repeating: .character("s"), count: 4)),
        ("wall", [.character("2")]),
        ("graphs", [.character("3")]),
    ]
    for (name, keys) in views {
        measure("frame: \(name)", keys) {
            $0.advance()
        } _: {
            $0.frame()
        }
    }
    measure("tick: 1,000 answers", []) {
        _ = $0.frame()
    } _: { crowd in
        crowd.advance()
        return 0
    }
    for (name, keys) in views {
        measure("key: \(name)", keys) {
            $0.advance()
        } _: {
            $0.press(.character("j"))
        }
    }
}

/// Measures what `work` does with ten thousand targets; it says how many bytes went to the terminal.
@Sendable private func measure(
    _ name: String,
    _ keys: [Key],
    prepare: @escaping @Sendable (inout Crowd) -> Void,
    _ work: @escaping @Sendable (inout Crowd) -> Int
) {
    Benchmark(name) { benchmark, box in
        for _ in benchmark.scaledIterations {
            prepare(&box.crowd)
            let start = ThreadTime.nanoseconds
            benchmark.startMeasurement()
            let count = work(&box.crowd)
            benchmark.stopMeasurement()
            benchmark.measurement(time, (ThreadTime.nanoseconds - start) / 1_000)
            benchmark.measurement(bytes, count)
        }
    } setup: {
        Box(Crowd(count: 10_000, keys: keys))
    }
}

/// Carries the crowd from the set-up to the measured part, which changes it.
final class Box {
    var crowd: Crowd

    init(_ crowd: Crowd) {
        self.crowd = crowd
    }
}
