import Monitoring

/// A target in the making: what the layers have said so far, of all methods.
struct Draft {
    var interval: Duration?
    var timeout: Duration?
    /// Where the nearest of the two is written; the timeout, where one layer has both.
    var timingPath: SettingsPath?
    /// Whether one of the two is there but unusable, so that nothing can be said about one from the other.
    var isTimingBroken = false
    var retryInterval: Duration?
    var downInterval: Duration?
    var spread: Double?
    var rise: Int?
    var fall: Int?
    var slow: Duration?
    var lossy: Double?
    var mayFlap: Bool?
    var family: FamilyChoice?
    var addresses: AddressesChoice?
    var source: String?
    var sourcePath: SettingsPath?
    /// What the nearest layer names.
    var dependsOn: [DependencyReference]?

    var icmp = ICMPOptions()
    var tcp = TCPOptions()
    var session = SessionOptions()
    var tls = TLSOptions()
    var http = HTTPOptions()
    var udp = UDPOptions()
    /// What a DNS server must say.
    var answer: String?
    /// The response code that a DNS server must give.
    var responseCode: DNSQuestion.ResponseCode?
    /// What `exec:` runs.
    var command: HookCommand?
    /// Whether the nearest command is there but unusable.
    var isCommandBroken = false

    /// What the layers say, the lowest first.
    init(_ layers: [Layer]) {
        for layer in layers { layer.apply(to: &self) }
    }
}

/// The address families that a target may be asked by, as the settings name them.
enum FamilyChoice: String, CaseIterable {
    /// The system's first choice.
    case any
    /// IPv4 only.
    case v4 = "4"
    /// IPv6 only.
    case v6 = "6"
    /// Each of the two, as a target of its own.
    case both
}

/// The addresses of a name that have a row, as the settings name them.
enum AddressesChoice: String, CaseIterable {
    /// All of them together: one row, and the address that answers is probed.
    case any
    /// Each.
    case each
}
