import ReachBasics

/// The settings file that `reach init` writes: the sample `dashboard.toml` of the repository.
enum SampleSettings {
    /// The placeholder of the gateway in the sample, and the comment that says how to find it.
    private static let placeholder = """
        # ${NAME} is an environment variable, and the text after ":-" its default. Find your gateway with "ip route" on Linux, or
        # "route -n get default" on macOS.
        url = "icmp://${REACH_GATEWAY:-192.168.1.1}"
        """

    /// The line with the JSON Schema of the settings, for editors.
    private static let schemaLine = "#:schema Schemas/dashboard.schema.json\n"

    /// Returns the contents of the file.
    ///
    /// - Parameters:
    ///   - gateway: the default gateway of this machine, which replaces the placeholder; nil if there is none.
    ///   - schema: the URL of the JSON Schema; nil if it is not installed.
    static func text(gateway: String?, schema: String? = nil) -> String {
        let sample = String(decoding: PackageResources.dashboard_toml, as: UTF8.self)
            .replacing(schemaLine, with: schema.map { "#:schema \($0)\n" } ?? "")
        guard let gateway else { return sample }
        return sample.replacing(
            placeholder,
            with: """
                # The default gateway of this machine when this file was written. ${NAME} is an environment variable, and the text
                # after ":-" its default.
                url = "icmp://${REACH_GATEWAY:-\(gateway.bracketed)}"
                """
        )
    }
}
