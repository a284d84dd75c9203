// The shortest uses of the library, a line each.
//
//     first [HOST PORT]
//
// Exits with status 1 if the port is not reachable within half a minute.
import Foundation
import ReachKit

let arguments = Array(CommandLine.arguments.dropFirst())
let name = arguments.first ?? "127.0.0.1"
let port = arguments.dropFirst().first.flatMap { Int($0) } ?? 22

print("internet:", await Reachability(of: .internet).check())
print("host:", await Reachability(of: name).check())
print("port:", await Reachability(of: "\(name):\(port)").check())

let service = Reachability(host: name, port: port)
do {
    try await service.waitUntilReachable(within: .seconds(30))
    print("so far:", service.currentStatus)
    _ = await service.whenReachable { print("still there") }.value
} catch {
    print(error)
    exit(1)
}
