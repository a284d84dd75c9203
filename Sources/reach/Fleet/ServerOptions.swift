import ArgumentParser
import ReachMonitoring
import ReachSettings

/// The options of `fleet` for all servers of the command line: the same as the keys of `[[prometheus]]`.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("PromQL that is 1 for a target that answers, and 0 for the others.", valueName: "promql")
    )
    var probes: String?

    @Option(help: ArgumentHelp("With --probes: PromQL for round trips in seconds.", valueName: "promql"))
    var roundTrips: String?

    @Option(help: ArgumentHelp("Label with the name of the target.", valueName: "label"))
    var targetLabel: String?

    @Option(help: ArgumentHelp("Label with the group.", valueName: "label"))
    var groupLabel: String?

    @Option(help: ArgumentHelp("Label with the vantage point.", valueName: "label"))
    var vantageLabel: String?

    @Option(
        help: ArgumentHelp(
            "Vantage points that must see a target down: majority, all, any or a number. (default: majority)",
            valueName: "rule"
        )
    )
    var quorum: String?

    @Option(help: ArgumentHelp("URL of the Alertmanager that gets silences (A).", valueName: "url"))
    var alertmanager: String?

    @Option(help: ArgumentHelp("File with a bearer token.", valueName: "file"), completion: .file())
    var tokenFile: String?

    @Option(help: ArgumentHelp("User, with --password-file.", valueName: "name"))
    var user: String?

    @Option(help: ArgumentHelp("File with the password of the user.", valueName: "file"), completion: .file())
    var passwordFile: String?

    @Option(
        help: ArgumentHelp("File of trusted certificate authorities, in PEM format.", valueName: "file"),
        completion: .file()
    )
    var ca: String?

    @Option(
        help: ArgumentHelp("File of the client certificate, in PEM format.", valueName: "file"),
        completion: .file()
    )
    var cert: String?

    @Option(help: ArgumentHelp("File of its private key.", valueName: "file"), completion: .file())
    var key: String?

    /// The settings of servers; nil without URLs, for those of the settings file.
    func servers(of urls: [String]) throws(StartupError) -> [PrometheusSettings]? {
        guard !urls.isEmpty else {
            guard isEmpty else {
                throw StartupError("the options of servers need a URL – add it, or write them below [[prometheus]]")
            }
            return nil
        }
        var rule = Quorum.majority
        if let quorum {
            if let (message, hint) = Quorum.problem(in: quorum) {
                throw StartupError("--quorum: \(message) – \(hint)")
            }
            rule = Quorum(quorum) ?? rule
        }
        if roundTrips != nil, probes == nil {
            throw StartupError("--round-trips: applies to --probes only – add that, or remove it")
        }
        let credentials = credentials
        if credentials.problem != nil { throw StartupError(Self.problem(tokenFile, user, passwordFile)) }
        var servers: [PrometheusSettings] = []
        for text in urls {
            let url = try Self.url(text)
            var server = PrometheusSettings(name: PrometheusSettings.name(ofURL: url), url: url)
            guard !servers.contains(where: { $0.name == server.name }) else {
                throw StartupError("\(server.name): given twice – remove one")
            }
            (server.probes, server.roundTrips) = (probes, roundTrips)
            (server.targetLabel, server.groupLabel, server.vantageLabel) = (targetLabel, groupLabel, vantageLabel)
            (server.quorum, server.credentials) = (rule, credentials)
            servers.append(server)
        }
        return servers
    }

    /// The Alertmanager of the command line; nil without one.
    func alertmanagerSettings() throws(StartupError) -> AlertmanagerSettings? {
        guard let alertmanager else { return nil }
        var settings = AlertmanagerSettings(url: try Self.url(alertmanager, example: "http://alertmanager:9093"))
        settings.credentials = credentials
        return settings
    }

    private var credentials: ServerCredentials {
        var credentials = ServerCredentials()
        credentials.tokenFile = tokenFile
        (credentials.user, credentials.passwordFile) = (user, passwordFile)
        (credentials.ca, credentials.cert, credentials.key) = (ca, cert, key)
        return credentials
    }

    private var isEmpty: Bool {
        [
            probes, roundTrips, targetLabel, groupLabel, vantageLabel, quorum, alertmanager, tokenFile, user,
            passwordFile, ca, cert,
            key,
        ].allSatisfy { $0 == nil }
    }

    private static func problem(_ tokenFile: String?, _ user: String?, _ passwordFile: String?) -> String {
        if tokenFile != nil, user != nil { return "--token-file and --user cannot be combined" }
        if passwordFile != nil, user == nil { return "--password-file: needs --user" }
        if user != nil, passwordFile == nil { return "--user: needs --password-file" }
        return "--cert and --key belong together – add the other one"
    }

    /// The URL of a server without the slash at its end; `prometheus:9090` is short for one by HTTP.
    private static func url(
        _ text: String,
        example: String = "http://prometheus:9090"
    ) throws(StartupError) -> String {
        let url = text.contains("://") ? text : "http://\(text)"
        guard url == url.withoutUserInfo else {
            let fix = "use --user and --password-file"
            throw StartupError("\"\(text.withoutUserInfo)\": no user or password in a URL – \(fix)")
        }
        do throws(URLProblem) {
            return try url.serverURL(example: example)
        } catch {
            throw StartupError("\"\(text)\": \(error)")
        }
    }
}
