// Check whether a host is reachable now.
//
//     reachable NAME|ADDRESS|URL
//
// Exits with status 0 if it is, 1 if it is not, and 2 if the argument is invalid.
import Foundation
import ReachKit

let argument = CommandLine.arguments.dropFirst().first ?? "example.com"
do {
    let host = Reachability(of: try Reachability.Subject(argument))
    print("so far:", host.currentStatus)

    switch await host.check() {
    case .reachable(let link):
        print("\(argument) answers by \(link)")
    case .unreachable(let cause):
        print("\(argument) does not: \(cause)")
        exit(1)
    case .unknown:
        break  // Only for a cancelled task.
    }
} catch {
    print(error)
    exit(2)
}
