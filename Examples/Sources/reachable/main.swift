// Is it reachable, now?
//
//     reachable NAME|ADDRESS|URL
//
// Status 0 if it is, 1 if it is not, 2 if the argument names nothing.
import Foundation
import ReachKit

let argument = CommandLine.arguments.dropFirst().first ?? "example.com"
do {
    let host = Reachability(of: try Reachability.Subject(argument))
    print("so far:", host.lastStatus)

    switch await host.status {
    case .reachable(let link):
        print("\(argument) answers by \(link)")
    case .unreachable(let cause):
        print("\(argument) does not: \(cause)")
        exit(1)
    case .unknown:
        break  // Only a task that is cancelled sees this.
    }
} catch {
    print(error)
    exit(2)
}
