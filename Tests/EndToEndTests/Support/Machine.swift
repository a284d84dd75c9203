import Foundation

/// The tools and rights of this machine. Tests that need others are skipped.
enum Machine {
    static let hasPython = has("/usr/bin/python3")
    static let hasTmux = has("tmux")
    static let hasScreen = has("screen")
    static let hasXTerm = has("xterm") && has("Xvfb")
    /// Whether there is a font whose bars are wider than its cells.
    static let hasDejaVu = FileManager.default.fileExists(
        atPath: "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
    )
    /// Whether pages can be printed.
    static let hasChromium = has("chromium")
    static let hasSetpriv = has("setpriv")
    static let hasSetcap = has("setcap")
    /// Whether a program can be started with a signal ignored.
    static let canIgnoreSignals = (try? Tool.run(["env", "--ignore-signal=CHLD", "true"], in: "/tmp").status) == 0
    static let hasProxy = has("tinyproxy")
    static let hasNameServer = has("dnsmasq")
    static let hasSecureShell = has("ssh")
    static let hasPeers = ["nginx", "redis-server", "dnsmasq", "openssl", "/usr/sbin/sshd", "ss"].allSatisfy(has)

    static let hasRedis = has("redis-server") && has("openssl")
    static let hasMariaDB = has("mariadbd") && has("mariadb-install-db")

    static let hasCurl = has("curl")
    static let hasHTTP2Server = ["nghttpd", "openssl", "curl", "ss"].allSatisfy(has)
    static let hasGit = has("git")
    static let hasPromtool = has("promtool")
    static let hasPrometheus = has("prometheus")
    /// Whether Alertmanager can run, and be asked by curl.
    static let hasAlertmanager = has("prometheus-alertmanager") && hasCurl
    /// Whether `Scripts/blackbox-pairs` can run.
    static let canComparePairs =
        ["prometheus-blackbox-exporter", "dnsmasq", "openssl", "ip", "unshare"].allSatisfy(has) && getuid() == 0
        && canMakeNetworks
    /// Whether BIND can serve records to Debian's blackbox exporter.
    static let canCompareRecords = ["named", "prometheus-blackbox-exporter"].allSatisfy(has)
    static let hasSystemdAnalyze = has("systemd-analyze")

    static let canInstall = has("make") && has("strip")
    static let hasReadelf = has("readelf")
    static let hasLogrotate = has("logrotate") && getuid() == 0
    static let isDebian = FileManager.default.fileExists(atPath: "/etc/debian_version")
    static let hasMan = has("man")
    static let hasMandoc = has("mandoc")
    static let hasZsh = has("zsh")
    static let hasFish = has("fish")
    static let hasDebianTools = ["lintian", "dpkg-deb", "dpkg-shlibdeps"].allSatisfy(has)

    /// Whether Debian's Python has the reference parser of the OpenMetrics specification.
    static let hasOpenMetricsParser: Bool = {
        let words = ["/usr/bin/python3", "-c", "import prometheus_client.openmetrics.parser"]
        return (try? Tool.run(words, in: "/tmp").status) == 0
    }()

    /// Whether Debian's Python has a JSON Schema validator.
    static let hasSchemaValidator =
        (try? Tool.run(["/usr/bin/python3", "-c", "import jsonschema"], in: "/tmp").status) == 0

    /// Whether the limits of another process can be changed.
    static let canLimit = has("prlimit")

    /// Whether this user may open an ICMP socket, datagram or raw.
    static let canPing = [SOCK_DGRAM, SOCK_RAW].contains { type in
        let descriptor = socket(AF_INET, Int32(type.rawValue), Int32(IPPROTO_ICMP))
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }

    /// Whether network namespaces with a veth pair can be created.
    static let canMakeNetworks = has("ip") && (try? Namespace().addVoid()) != nil

    /// Whether nftables can drop packets in a network namespace.
    static let canDrop: Bool = {
        guard canMakeNetworks, has("nft"), let namespace = try? Namespace() else { return false }
        return (try? Tool.must(namespace.words("nft", "add table inet t"))) != nil
    }()

    /// Whether netem can delay a network.
    static let canDelay: Bool = {
        guard canMakeNetworks, has("tc"), let namespace = try? Namespace(), (try? namespace.addVoid()) != nil else {
            return false
        }
        let words = namespace.words("tc", "qdisc", "add", "dev", "v0", "root", "netem", "delay", "40ms")
        return (try? Tool.must(words)) != nil
    }()

    /// Whether a tunnel into a network namespace can be created.
    static let canTunnel: Bool = {
        guard canMakeNetworks, let namespace = try? Namespace() else { return false }
        return (try? DistantHost(for: namespace) { _ in nil }) != nil
    }()

    private static func has(_ tool: String) -> Bool {
        (try? Tool.run(["sh", "-c", "command -v \(tool)"], in: "/tmp").status) == 0
    }
}
