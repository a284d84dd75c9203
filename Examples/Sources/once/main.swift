// Run an action once the host is reachable.
//
//     once NAME|ADDRESS|URL SECONDS
//
// Exits with status 0 after the action, and with 124 after a timeout.
import Foundation
import ReachKit

let arguments = CommandLine.arguments.dropFirst()
let name = arguments.first ?? "example.com"
let seconds = arguments.dropFirst().first.flatMap { Int($0) } ?? 30

do {
    let host = Reachability(of: try Reachability.Subject(name))
    let task = host.whenReachable(within: .seconds(seconds), allowCellular: false) {
        // Runs at most once, even if the host comes and goes.
        "done at \(Date.now.formatted(.iso8601))"
    }
    FileHandle.standardError.write(Data("waiting for \(name)\n".utf8))

    switch await task.value {
    case .performed(let result): print(result)
    case .expired:
        print("\(name): timeout")
        exit(124)
    case .cancelled: print("cancelled")
    }
} catch {
    print(error)
    exit(2)
}
