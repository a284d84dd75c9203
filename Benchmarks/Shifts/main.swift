import Foundation
import ReachMonitoring

/// Prints the figures of one method for each group of traces.
func printTable(_ title: String, _ traces: [Trace], groups: [Group] = Group.allCases, _ method: (Trace) -> [Detection])
{
    print(title)
    print(Score.header)
    let found = traces.map(method)
    for group in groups {
        var score = Score()
        for (trace, detections) in zip(traces, found) where group.contains(trace) { score.add(detections, of: trace) }
        print(score.line("  " + group.rawValue))
    }
    print()
}

guard CommandLine.arguments.count >= 2 else {
    print(
        "usage: Benchmarks/shifts FOLDER [--rivals] [--traces] [--stationary] [--cost]\n  FOLDER has the sub-folders real and artificial"
    )
    exit(2)
}
let traces = try Trace.all(in: CommandLine.arguments[1])
printTable("Steps of any size", traces) { Method.steps($0) }
printTable("Reports at 20 % and 5 ms", traces) { Method.reports($0, under: ShiftSettings()) }
printTable("Reports of all sizes (at_least 0, and 0)", traces) {
    Method.reports($0, under: ShiftSettings(atLeast: 0, and: .zero))
}
if CommandLine.arguments.contains("--traces") {
    for trace in traces {
        var score = Score()
        score.add(Method.steps(trace), of: trace)
        print(score.line(trace.name))
    }
}
if CommandLine.arguments.contains("--rivals") {
    for (name, method) in Rivals.all { printTable(name, traces, method) }
}
if CommandLine.arguments.contains("--stationary") { Stationary.print() }
if CommandLine.arguments.contains("--cost") { Cost.print() }
