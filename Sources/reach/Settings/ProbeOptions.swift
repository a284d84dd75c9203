import ArgumentParser
import ReachMonitoring
import ReachSettings

/// The options of probes on the command line. They apply to all targets, in place of those in the settings.
struct ProbeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Time after which a probe is lost, such as 2s.", valueName: "time"))
    var timeout: String?

    @Option(
        help: ArgumentHelp(
            "Expected status of http and https, such as 200 or 200,204. (default: 200 to 299)",
            valueName: "status"
        )
    )
    var status: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Regular expression that must match in the body of http and https.", valueName: "pattern")
    )
    var body: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Header field for http and https, 'Name: value'; may be repeated.", valueName: "field")
    )
    var header: [String] = []

    @Option(help: ArgumentHelp("Request method for http and https. (default: GET)", valueName: "method"))
    var method: String?

    @Flag(help: "Accept any certificate.")
    var insecure = false

    @Option(
        help: ArgumentHelp("PEM file with the authorities to trust, instead of the system's.", valueName: "file"),
        completion: .file(extensions: ["pem", "crt"])
    )
    var ca: String?

    @Option(help: ArgumentHelp("Name to request by TLS, which the certificate must have.", valueName: "name"))
    var serverName: String?

    @Option(
        help: ArgumentHelp("Protocol before the upgrade to TLS: \(Self.protocols).", valueName: "protocol"),
        completion: .list(TLSOptions.StartTLS.allCases.map(\.rawValue))
    )
    var starttls: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Regular expression for the reply to tcp, session and udp.", valueName: "pattern")
    )
    var expect: String?

    @Option(help: ArgumentHelp("Round trip above which a target is degraded.", valueName: "time"))
    var slow: String?

    @Option(help: ArgumentHelp("Loss above which a target is degraded, such as 0.2.", valueName: "share"))
    var lossy: String?

    @Option(help: ArgumentHelp("Days before a certificate expires: degraded.", valueName: "days"))
    var warnDays: String?

    private static let protocols = TLSOptions.StartTLS.allCases.map(\.rawValue).joined(separator: ", ")

    /// The options, validated by the rules of the settings.
    func targetOptions() throws(StartupError) -> TargetOptions {
        let single: [TargetOptions.Option: String?] = [
            .timeout: timeout, .body: body, .method: method, .ca: ca, .serverName: serverName, .starttls: starttls,
            .expect: expect, .insecure: insecure ? "" : nil, .slow: slow, .lossy: lossy, .warnDays: warnDays,
        ]
        var values = single.compactMapValues { $0.map { [$0] } }
        values[.status] = status
        values[.header] = header
        do throws(SettingsFailure) {
            return try TargetOptions(values)
        } catch {
            throw StartupError(lines: error.lines)
        }
    }
}
