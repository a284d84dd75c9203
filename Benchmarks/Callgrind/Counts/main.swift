// Repeats one operation a number of times; `Benchmarks/counts` runs it in callgrind. It starts no threads, since callgrind
// crashes when threads of the Swift runtime end.

import ReachSystem

let words = CommandLine.arguments.dropFirst()
guard let work = words.first, let times = words.last.flatMap({ Int($0) }), words.count == 2 else {
    print("usage: Counts WORK TIMES")
    exit(2)
}

/// Repeats an operation on a dashboard of ten thousand targets.
func dashboard(_ body: (inout DashboardFixture) -> Void) {
    var fixture = DashboardFixture(count: 10_000, keys: [])
    for _ in 0..<times {
        fixture.advance()
        body(&fixture)
    }
}

/// Repeats an operation on a roster of ten thousand targets.
func roster(_ body: (inout RosterFixture) -> Void) {
    var fixture = RosterFixture(count: 10_000)
    for _ in 0..<times {
        fixture.prepare()
        body(&fixture)
    }
}

switch work {
case "prepared": roster { _ in }
case "recorded": roster { _ = $0.record() }
case "advanced": dashboard { _ in }
case "drawn": dashboard { _ = $0.draw() }
case "compared": dashboard { _ = $0.compare() }
case "encoded": dashboard { _ = $0.frame() }
default:
    print("Counts: unknown work \(work)")
    exit(2)
}
