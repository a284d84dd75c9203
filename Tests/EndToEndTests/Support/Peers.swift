import Foundation

/// Real servers on loopback: nginx with four certificates, redis, dnsmasq. They end with the last reference.
final class Peers: Sendable {
    /// Where they listen; nobody does at `none`.
    struct Ports: Sendable {
        let http: Int
        let good: Int
        let soon: Int
        let name: Int
        let expired: Int
        let redis: Int
        let dns: Int
        let none: Int

        init(from base: Int) {
            (http, good, soon, name) = (base, base + 1, base + 2, base + 3)
            (expired, redis, dns, none) = (base + 4, base + 5, base + 6, base + 7)
        }
    }

    let ports: Ports
    private let nginx: Child
    private let redis: Child
    private let dnsmasq: Child

    init(in scratch: Scratch) async throws {
        // Below the ports that the kernel gives to connections.
        let ports = Ports(from: .random(in: 12_000..<30_000))
        self.ports = ports
        try scratch.write(Self.certificates, to: "certificates.sh")
        try Tool.must(["sh", "-e", scratch.file("certificates.sh")], in: scratch.path)
        let servers = [(ports.good, "good"), (ports.soon, "soon"), (ports.name, "name"), (ports.expired, "expired")]
        let secure = servers.map { port, name in
            "server { listen 127.0.0.1:\(port) ssl; ssl_certificate \(scratch.file("\(name).pem")); "
                + "ssl_certificate_key \(scratch.file("\(name).key")); location / { return 200 \"ok\"; } }"
        }
        let settings = """
            daemon off; worker_processes 1; pid \(scratch.file("nginx.pid")); error_log \(scratch.file("nginx.log"));
            events { worker_connections 128; }
            http {
              access_log off;
              client_body_temp_path \(scratch.file("body"));
              server {
                listen 127.0.0.1:\(ports.http);
                location / { return 200 "all is well"; }
                location /bad { return 503; }
                location /go { return 302 /; }
              }
              \(secure.joined(separator: "\n"))
            }
            """
        try scratch.write(settings, to: "nginx.conf")
        let start = { (name: String, words: [String]) in
            let log = scratch.file(name + ".out")
            return try Child(words, in: scratch.path, streams: .files(output: log, errors: log + ".err"))
        }
        nginx = try start("nginx", ["nginx", "-c", scratch.file("nginx.conf")])
        redis = try start("redis", ["redis-server", "--port", "\(ports.redis)", "--bind", "127.0.0.1", "--save", ""])
        dnsmasq = try start(
            "dnsmasq",
            [
                "dnsmasq", "--keep-in-foreground", "--port=\(ports.dns)", "--listen-address=127.0.0.1",
                "--bind-interfaces", "--no-resolv", "--no-hosts", "--local=/test/",
                "--address=/good.test/192.0.2.9", "--conf-file=/dev/null", "--pid-file=\(scratch.file("dns.pid"))",
            ]
        )
        for port in [ports.http, ports.expired, ports.redis, ports.dns] {
            try await eventually("a listener on \(port)") { Self.accepts(port) }
        }
    }

    /// Ends redis, and with it every connection to it.
    func stopRedis() {
        redis.send(SIGKILL)
    }

    private static func accepts(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// An authority and its four certificates: good, expiring in five days, for another name, expired yesterday.
    private static let certificates = """
        openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj "/CN=Test CA" 2>/dev/null
        touch index.txt
        cat > ca.conf <<END
        [ca]
        default_ca = here
        [here]
        database = index.txt
        new_certs_dir = .
        serial = serial
        private_key = ca.key
        certificate = ca.pem
        default_md = sha256
        policy = any
        copy_extensions = copy
        unique_subject = no
        [any]
        commonName = supplied
        END
        echo 1000 > serial
        make() {
          openssl req -newkey rsa:2048 -nodes -keyout $1.key -out $1.csr -subj "/CN=$2" -addext "subjectAltName=$3" 2>/dev/null
          openssl ca -batch -notext -config ca.conf -in $1.csr -out $1.pem -startdate $4 -enddate $5 2>/dev/null
        }
        day() { date -u -d "$1 days" +%Y%m%d%H%M%SZ; }
        make good localhost DNS:localhost,IP:127.0.0.1 $(day -5) $(day 60)
        make soon localhost DNS:localhost,IP:127.0.0.1 $(day -5) $(day 5)
        make name other.example DNS:other.example $(day -5) $(day 60)
        make expired localhost DNS:localhost,IP:127.0.0.1 $(day -5) $(day -1)
        """
}
