import Monitoring

/// The values set so far for a target, with the options of all methods.
struct TargetDraft {
    var interval: Duration?
    var timeout: Duration?
    /// Where the interval or the timeout is set, whichever is nearer to the target; the timeout if one layer has both.
    var timingOrigin: ValueOrigin?
    /// Whether the nearest interval is invalid, so that no timeout can be compared with it.
    var hasInvalidInterval = false
    /// Whether the nearest timeout is invalid.
    var hasInvalidTimeout = false
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
    var sourceOrigin: ValueOrigin?
    /// Where the key of the client's certificate is set.
    var keyOrigin: ValueOrigin?
    /// Where the response code of DNS is set.
    var responseCodeOrigin: ValueOrigin?
    /// Where the proxy is set.
    var proxyOrigin: ValueOrigin?
    /// The references of the nearest layer that sets them.
    var dependsOn: [DependencyReference]?
    var isEnabled: Bool?
    /// The tags of all layers.
    private(set) var tags: [String] = []

    var icmp = ICMPOptions()
    var tcp = TCPOptions()
    var session = SessionOptions()
    var tls = TLSOptions()
    var http = HTTPOptions()
    var udp = UDPOptions()
    var redis = Credentials()
    var postgres = Credentials()
    /// The answer expected from a DNS server.
    var answer: String?
    /// The response code expected from a DNS server.
    var responseCode: DNSQuestion.ResponseCode?
    /// How a DNS query is sent.
    var transport = DNSQuestion.Transport.udp
    /// The command of `exec:`.
    var command: HookCommand?
    /// Whether the nearest command is invalid.
    var hasInvalidCommand = false

    /// Applies the layers in order: defaults, group, target, each after its template.
    init(_ layers: [Layer]) {
        for layer in layers { layer.apply(to: &self) }
    }

    /// Adds tags, each once.
    mutating func add(_ added: [String]) {
        for tag in added where !tags.contains(tag) { tags.append(tag) }
    }
}

/// The user and the password of a database. Those in the URL take precedence.
struct Credentials: Hashable {
    var user: String?
    var password: String?
}

/// The values of `family`: the address families that a target is probed with.
enum FamilyChoice: String, CaseIterable {
    /// The family that the system prefers.
    case any
    /// IPv4 only.
    case v4 = "4"
    /// IPv6 only.
    case v6 = "6"
    /// Both, each as its own target.
    case both
}

/// The values of `addresses`: whether the addresses of a name share a row.
enum AddressesChoice: String, CaseIterable {
    /// One row for all addresses; the address that answers is probed.
    case any
    /// A row for each address.
    case each
}
