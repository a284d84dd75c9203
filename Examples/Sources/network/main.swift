// What leads out of this machine, without a packet being sent.
//
//     network [HOST]
import ReachKit

print("local network:", await Reachability(of: .localNetwork).status)
print("internet:", await Reachability(of: .internet).status)
if let host = CommandLine.arguments.dropFirst().first {
    print("a way to \(host):", await Reachability(of: .route(host)).status)
}
