/// The Alertmanager that gets silences.
package struct AlertmanagerSettings: Sendable, Hashable {
    /// The URL before `/api/v2`: `http://alertmanager:9093`.
    package var url: String
    /// How the program identifies itself.
    package var credentials = ServerCredentials()

    /// Creates the settings of a server without credentials.
    package init(url: String) {
        self.url = url
    }

    /// The name in messages: host and port.
    package var name: String { PrometheusSettings.name(ofURL: url) }
}
