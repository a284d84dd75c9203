import ArgumentParser
import ReachKit

/// How `reach fetch` verifies servers and identifies itself to them, in the words of the settings for `tls`.
struct FetchTLSOptions: ParsableArguments {
    @Flag(help: "Accept any certificate.")
    var insecure = false

    @Option(
        help: ArgumentHelp("PEM file with the authorities to trust, instead of the system's.", valueName: "file"),
        completion: .file(extensions: ["pem", "crt"])
    )
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "PEM file with the client certificate for servers that request one, followed by its issuers.",
            valueName: "file"
        ),
        completion: .file(extensions: ["pem", "crt"])
    )
    var cert: String?

    @Option(
        help: ArgumentHelp(
            "PEM file with its private key, not encrypted. (default: that of --cert)",
            valueName: "file"
        ),
        completion: .file(extensions: ["pem", "key"])
    )
    var key: String?

    func validate() throws {
        guard key == nil || cert != nil else {
            throw ValidationError("--key: a key without a certificate – add --cert")
        }
    }

    /// The options of connections.
    ///
    /// - Throws: ``StartupError`` for a file that cannot be used.
    func tls() throws(StartupError) -> Fetch.TLS {
        let tls = Fetch.TLS(
            authorities: ca,
            clientCertificate: cert.map { Fetch.TLS.ClientCertificate(chain: $0, privateKey: key ?? $0) },
            verifiesServer: !insecure
        )
        // Otherwise, a file is a problem only after the wait for the host.
        guard ca != nil || cert != nil else { return tls }
        do throws(Fetch.Error) {
            try tls.validate()
        } catch {
            throw StartupError("\(error)")
        }
        return tls
    }
}
