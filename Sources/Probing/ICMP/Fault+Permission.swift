import LibC
import Monitoring

extension Fault {
    /// The fault of a user who may open neither kind of ICMP socket, with both fixes.
    static let noICMP: Fault = {
        #if canImport(Darwin)
        return Fault(.permission, detail: "ICMP is not permitted – run as root")
        #else
        let cures = [
            #"sysctl -w net.ipv4.ping_group_range="0 2147483647""#,
            "setcap cap_net_raw+ep \(executable)",
        ]
        return Fault(.permission, detail: "ICMP is not permitted", cures: cures)
        #endif
    }()

    #if !canImport(Darwin)
    private static var executable: String {
        guard let path = realpath("/proc/self/exe", nil) else { return CommandLine.arguments[0] }
        defer { free(path) }
        return String(cString: path)
    }
    #endif
}
