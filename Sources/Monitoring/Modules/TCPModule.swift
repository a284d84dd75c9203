/// The exchange on a TCP connection of a module.
package struct TCPModule: Sendable, Hashable {
    /// A step of the exchange. Its parts are performed in the order of the properties.
    package struct Step: Sendable, Hashable {
        /// A label of `probe_expect_info`.
        package struct Label: Sendable, Hashable {
            /// The name.
            package var name: String
            /// The value, with the groups of the expected line: `${1}`.
            package var value: String

            /// Pairs a name with a value.
            package init(_ name: String, _ value: String) {
                self.name = name
                self.value = value
            }
        }

        /// The pattern of a line that is waited for; nil for none.
        package var expect: ModulePattern?
        /// The labels from that line.
        package var labels: [Label] = []
        /// The bytes that are expected next; empty for none.
        package var expectedBytes: [UInt8] = []
        /// The line that is sent, with the groups of the expected line; nil for none.
        package var send: String?
        /// The bytes that are sent as they are; empty for none.
        package var sentBytes: [UInt8] = []
        /// Whether the connection is upgraded to TLS.
        package var startsTLS = false

        /// Creates a step that does nothing.
        package init() {}
    }

    /// The steps in order.
    package var steps: [Step] = []
    /// Whether the connection begins with TLS.
    package var isSecure = false
    /// The options for TLS.
    package var tls = TLSOptions()

    /// Creates an exchange that only connects.
    package init() {}
}
