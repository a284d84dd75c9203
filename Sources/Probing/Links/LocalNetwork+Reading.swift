import LibC
import Monitoring

extension LocalNetwork {
    /// Reads the current state from the system.
    static func read() throws(Fault) -> LocalNetwork {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { throw Fault(errno: errno) }
        defer { freeifaddrs(list) }
        var interfaces: [Interface] = []
        var positions: [String: Int] = [:]
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }).prefix(while: { $0 != nil }) {
            guard let entry = entry?.pointee else { continue }
            let label = String(cString: entry.ifa_name)
            // Linux returns an address's label as the name, which may be `eth0:1`.
            let base = label.split(separator: ":").first.map(String.init) ?? label
            let name = positions[label] == nil && positions[base] != nil ? base : label
            let position: Int
            if let known = positions[name] {
                position = known
            } else {
                position = interfaces.count
                positions[name] = position
                interfaces.append(Interface(name: name, flags: UInt32(entry.ifa_flags)))
            }
            guard let pointer = entry.ifa_addr, let address = IPAddress(UnsafePointer(pointer)) else { continue }
            interfaces[position].addresses.append(address)
        }
        for position in interfaces.indices where interfaces[position].mayBeOutbound {
            interfaces[position].isBridge = isBridge(interfaces[position].name)
        }
        return LocalNetwork(interfaces: interfaces, sources: KernelRoute.defaultSources())
    }

    private static func isBridge(_ name: String) -> Bool {
        #if canImport(Darwin)
        name.hasPrefix("bridge")
        #else
        access("/sys/class/net/\(name)/bridge", F_OK) == 0
        #endif
    }
}

extension Interface {
    /// Creates an interface from the flags of <net/if.h>, which are the same everywhere: `IFF_UP`, `IFF_RUNNING`,
    /// `IFF_LOOPBACK`.
    fileprivate init(name: String, flags: UInt32) {
        self.init(name: name, isUp: flags & 0x1 != 0, isRunning: flags & 0x40 != 0, isLoopback: flags & 0x8 != 0)
    }

    /// The kind of the interface, as the system reports it.
    var kind: LinkKind? {
        LinkKind(of: self) { file in
            let path = "/sys/class/net/\(name)/\(file)"
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            // A folder can be opened, but not read.
            return String(decoding: (try? readAll(from: descriptor, limit: 1_024)) ?? [], as: UTF8.self)
        }
    }
}
