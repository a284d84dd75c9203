// Check the routes of this machine without sending a packet.
//
//     network [HOST]
import ReachKit

print("local network:", await Reachability(of: .localNetwork).check())
print("internet:", await Reachability(of: .internet).check())
if let host = CommandLine.arguments.dropFirst().first {
    print("route to \(host):", await Reachability(of: .route(host)).check())
}
