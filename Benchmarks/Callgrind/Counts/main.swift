// Does one thing so many times, and nothing beside it: what `Benchmarks/counts` has callgrind count. Without a thread, since
// callgrind dies of those that end as the Swift runtime's do.

import LibC

let words = CommandLine.arguments.dropFirst()
guard let work = words.first, let times = words.last.flatMap({ Int($0) }), words.count == 2 else {
    print("usage: Counts WORK TIMES")
    exit(2)
}

/// Of a dashboard of ten thousand targets.
func crowd(_ body: (inout Crowd) -> Void) {
    var crowd = Crowd(count: 10_000, keys: [])
    for _ in 0..<times {
        crowd.advance()
        body(&crowd)
    }
}

/// Of a roster of ten thousand targets.
func roster(_ body: (inout Watched) -> Void) {
    var watched = Watched(count: 10_000)
    for _ in 0..<times {
        watched.prepare()
        body(&watched)
    }
}

switch work {
case "prepared": roster { _ in }
case "recorded": roster { _ = $0.record() }
case "advanced": crowd { _ in }
case "drawn": crowd { _ = $0.draw() }
case "compared": crowd { _ = $0.compare() }
case "encoded": crowd { _ = $0.frame() }
default:
    print("Counts: no work is called \(work)")
    exit(2)
}
