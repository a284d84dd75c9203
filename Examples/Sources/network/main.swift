// Check the routes of this machine without sending a packet.
//
//     network [HOST]
import ReachKit

print("local network:", await Reachability(of: .localNetwork).status)
print("internet:", await Reachability(of: .internet).status)
if let host = CommandLine.arguments.dropFirst().first {
    print("route to \(host):", await Reachability(of: .route(host)).status)
}
