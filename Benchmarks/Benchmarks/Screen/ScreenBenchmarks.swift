import Benchmark
import Meter
import Screen

// What the screen of ten thousand targets costs, each of them asked once a second. A frame is drawn, compared with the
// one before it, and encoded.
let benchmarks: @Sendable () -> Void = {
    Benchmark.configure(bytes: true)
    let views: [(String, [Key])] = [
        ("table", []),
        ("table, failing first", [.character("s")]),
        ("table, 95th percentile", Array(repeating: .character("s"), count: 4)),
        ("wall", [.character("2")]),
        ("graphs", [.character("3")]),
    ]
    for (name, keys) in views {
        measureCrowd("frame: \(name)", keys) {
            $0.advance()
        } _: {
            $0.frame()
        }
    }
    measureCrowd("tick: 1,000 answers", []) {
        _ = $0.frame()
    } _: { crowd in
        crowd.advance()
        return 0
    }
    for (name, keys) in views {
        measureCrowd("key: \(name)", keys) {
            $0.advance()
        } _: {
            $0.press(.character("j"))
        }
    }
}

/// Measures what `work` does with ten thousand targets; it says how many bytes went to the terminal.
@Sendable private func measureCrowd(
    _ name: String,
    _ keys: [Key],
    prepare: @escaping @Sendable (inout Crowd) -> Void,
    _ work: @escaping @Sendable (inout Crowd) -> Int
) {
    measure(
        name,
        writesBytes: true,
        state: { Crowd(count: 10_000, keys: keys) },
        prepare: prepare,
        work
    )
}
