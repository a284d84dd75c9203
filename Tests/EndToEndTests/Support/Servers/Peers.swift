import Foundation

/// Real servers on loopback: nginx with four certificates, redis, dnsmasq and sshd. Releasing the last reference kills
/// them.
final class Peers: Sendable {
    /// The servers' ports; no server listens on `none`.
    struct Ports: Sendable {
        let http: Int
        let good: Int
        let soon: Int
        let name: Int
        let expired: Int
        /// Rejects every handshake with the alert `unrecognized_name`.
        let strict: Int
        /// Resets every connection.
        let rude: Int
        let redis: Int
        let dns: Int
        let ssh: Int
        let none: Int
        /// Requires a client certificate of the authority.
        let mutual: Int

        init(from base: Int, dns: Int?) {
            (http, good, soon, name, expired) = (base, base + 1, base + 2, base + 3, base + 4)
            (strict, rude, redis, ssh, none) = (base + 5, base + 6, base + 7, base + 8, base + 9)
            self.dns = dns ?? base + 10
            mutual = base + 11
        }
    }

    let ports: Ports
    private let nginx: Child
    private let redis: Child
    private let dnsmasq: Child
    private let sshd: Child

    /// - Parameter network: the namespace to listen in, with dnsmasq on port 53; nil is this machine.
    init(in scratch: Scratch, of network: Namespace? = nil) async throws {
        // Below the ephemeral ports.
        let ports = Ports(from: .random(in: 12_000..<30_000), dns: network == nil ? nil : 53)
        self.ports = ports
        try scratch.write(Self.keys, to: "keys.sh")
        try Tool.must(["sh", "-e", scratch.file("keys.sh")], in: scratch.path)
        try scratch.write(Self.webSettings(ports, scratch), to: "nginx.conf")
        let start = { (name: String, words: [String]) in
            let log = scratch.file(name + ".out")
            let streams = Child.Streams.files(output: log, errors: log + ".err")
            return try Child(network?.words(words) ?? words, in: scratch.path, streams: streams)
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
        // sshd needs an empty folder in /run, so it gets a private mount there.
        let secureShell = "mount -t tmpfs none /run && mkdir /run/sshd && exec /usr/sbin/sshd -D -e -f ssh.conf"
        try scratch.write(
            "Port \(ports.ssh)\nListenAddress 127.0.0.1\nHostKey \(scratch.file("ssh.key"))\nPidFile none\n",
            to: "ssh.conf"
        )
        sshd = try start("sshd", ["unshare", "--mount", "sh", "-c", secureShell])
        let listening = [ports.http, ports.redis, ports.dns, ports.ssh].map { ":\($0) " }
        let list = ["ss", "--no-header", "--tcp", "--listening", "--numeric"]
        try await eventually("listening peers", context: { scratch.text(of: "sshd.out.err") }) {
            let sockets = try Tool.must(network?.words(list) ?? list).output
            return listening.allSatisfy { sockets.contains($0) }
        }
    }

    /// Kills redis, which closes its connections.
    func stopRedis() {
        redis.send(SIGKILL)
    }

    private static func webSettings(_ ports: Ports, _ scratch: Scratch) -> String {
        let servers = [(ports.good, "good"), (ports.soon, "soon"), (ports.name, "name"), (ports.expired, "expired")]
        let secure = servers.map { port, name in
            "server { listen 127.0.0.1:\(port) ssl; ssl_certificate \(scratch.file("\(name).pem")); "
                + "ssl_certificate_key \(scratch.file("\(name).key")); location / { return 200 \"ok\"; } }"
        }
        // 444 is nginx's own status: close without an answer.
        return """
            daemon off; worker_processes 1; pid \(scratch.file("nginx.pid")); error_log \(scratch.file("nginx.log"));
            events { worker_connections 128; }
            http {
              access_log off;
              client_body_temp_path \(scratch.file("body"));
              server {
                listen 127.0.0.1:\(ports.http);
                location / { return 200 "all is well"; }
                location /bad { return 503; }
                location /health { default_type application/json; return 200 '{"status": "degraded"}'; }
                location /go { return 302 /; }
                location /secure { return 301 https://localhost:\(ports.good)/; }
                location /silent { return 444; }
              }
              server {
                listen 127.0.0.1:\(ports.mutual) ssl; ssl_certificate \(scratch.file("good.pem"));
                ssl_certificate_key \(scratch.file("good.key")); ssl_client_certificate \(scratch.file("ca.pem"));
                ssl_verify_client on; location / { return 200 "ok"; }
              }
              server { listen 127.0.0.1:\(ports.strict) ssl; ssl_reject_handshake on; }
              server { listen 127.0.0.1:\(ports.rude); reset_timedout_connection on; return 444; }
              \(secure.joined(separator: "\n"))
            }
            """
    }

    /// The script that creates the host key of sshd, an authority and its four certificates: valid, expiring in five
    /// days, for another name, expired yesterday.
    private static let keys = """
        ssh-keygen -q -t ed25519 -N "" -f ssh.key
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

/// A real database server in a folder of its own, run by a user without privileges. Releasing the last reference kills it.
final class DatabaseServer: Sendable {
    let port: Int
    /// The folder of the server, with its log in `err`.
    let folder: String
    private let child: Child

    /// The folder of PostgreSQL's programs, which Debian keeps out of `PATH`; nil if it is not installed.
    static let postgresFolder: String? = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return all.sorted { ($0 as NSString).integerValue < ($1 as NSString).integerValue }.last
            .map { "/usr/lib/postgresql/\($0)/bin" }
    }()

    /// Runs a script that ends with the server.
    ///
    /// - Parameters:
    ///   - script: a script for the shell, in which `$PORT` is the port.
    ///   - network: the namespace to listen in; nil is this machine.
    init(_ name: String, _ script: String, in scratch: Scratch, of network: Namespace? = nil) async throws {
        // Below the ephemeral ports.
        port = .random(in: 12_000..<20_000)
        folder = scratch.file(name)
        let files = FileManager.default
        if !files.fileExists(atPath: folder) {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
        let isRoot = getuid() == 0
        if isRoot { try Tool.must(["chown", "-R", "65534:65534", folder]) }
        let user = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        let words = user + ["sh", "-e", "-c", "umask 077; cd \"\(folder)\"; PORT=\(port); HOME=$PWD; \(script)"]
        let log = "\(folder).err"
        child = try Child(
            network?.words(words) ?? words,
            in: "/tmp",
            environment: ["PATH": "\(Self.postgresFolder ?? "/bin"):/usr/local/bin:/usr/sbin:/usr/bin:/bin"],
            streams: .files(output: "\(folder).out", errors: log)
        )
        let list = ["ss", "--no-header", "--tcp", "--listening", "--numeric"]
        let text = { String(decoding: files.contents(atPath: log) ?? Data(), as: UTF8.self) }
        try await eventually("listening \(name)", within: .seconds(90), context: text) {
            guard child.status == nil else { throw TestFailure(description: "\(name) ended: \(text())") }
            return try Tool.must(network?.words(list) ?? list).output.contains(":\(port) ")
        }
    }

    /// Ends the server, so that another one can use its folder.
    func stop() async throws {
        child.send(SIGINT)
        _ = try await child.end(within: .seconds(20))
    }
}
