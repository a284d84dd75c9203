#if os(Linux)
import CCapabilities
#endif
import LibC
import Monitoring

extension Fault {
    /// The fault of a user who may open neither kind of ICMP socket, with the fixes that work here.
    static let noICMP: Fault = {
        #if canImport(Darwin)
        return Fault(.permission, detail: "ICMP is not permitted – run as root")
        #else
        let privilege = geteuid() == 0 ? "" : "sudo "
        var cures = [privilege + #"sysctl -w net.ipv4.ping_group_range="0 2147483647""#]
        // In a container without the capability, the system would refuse to start the program.
        if mayBeRaw { cures.append("\(privilege)setcap cap_net_raw+ep \(executable)") }
        return Fault(.permission, detail: "ICMP is not permitted", cures: cures)
        #endif
    }()

    #if !canImport(Darwin)
    private static var mayBeRaw: Bool {
        #if os(Linux)
        capabilities_may_be_raw()
        #else
        true
        #endif
    }

    private static var executable: String {
        guard let path = realpath("/proc/self/exe", nil) else { return CommandLine.arguments[0] }
        defer { free(path) }
        return String(cString: path)
    }
    #endif
}
