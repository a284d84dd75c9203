// Do this once it is reachable.
//
//     once NAME|ADDRESS|URL SECONDS
//
// Status 0 when it was done, 124 when it took too long.
import Foundation
import ReachKit

let arguments = CommandLine.arguments.dropFirst()
let name = arguments.first ?? "example.com"
let seconds = arguments.dropFirst().first.flatMap { Int($0) } ?? 30

do {
    let host = Reachability(of: try Reachability.Subject(name))
    let task = host.whenReachable(within: .seconds(seconds), allowCellular: false) {
        // At most once, however often the host comes and goes.
        "done at \(Date.now.formatted(.iso8601))"
    }
    FileHandle.standardError.write(Data("waiting for \(name)\n".utf8))

    switch await task.value {
    case .performed(let result): print(result)
    case .expired:
        print("\(name) did not come back in time")
        exit(124)
    case .cancelled: print("cancelled")
    }
} catch {
    print(error)
    exit(2)
}
