// Watch many targets, as the dashboard does.
//
//     many URL …
//
// Prints a line for each change of health until it is interrupted.
import Foundation
import ReachKit

do {
    let targets = try CommandLine.arguments.dropFirst().map { try Target($0, interval: .milliseconds(500)) }
    let monitor = try Monitor(targets)
    for await events in monitor.events {
        for case .transition(let id, let transition) in events {
            let name = monitor[id]?.target.name ?? "?"
            let cause = transition.failure.map { ": \($0)" } ?? ""
            FileHandle.standardOutput.write(Data("\(name) is \(transition.to)\(cause)\n".utf8))
        }
    }
} catch {
    print(error)
    exit(2)
}
