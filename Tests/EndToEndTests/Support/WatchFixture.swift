/// A target named Door that a test can take down and up again, and a folder for the files of its hooks.
struct WatchFixture {
    let scratch: Scratch
    /// The listener of the target, which is up while it listens.
    let listener: Listener

    init() throws {
        scratch = try Scratch()
        listener = try Listener()
    }

    /// Writes settings with the target and further lines, and returns their path. The interval is 200 ms by default.
    func settings(_ more: String) throws -> String {
        let settings = """
            [defaults]
            interval = "200ms"
            [[target]]
            name = "Door"
            url = "tcp://127.0.0.1:\(listener.port)"
            \(more)
            """
        return try scratch.write(settings, to: "settings.toml")
    }

    /// Starts `reach watch` with these settings, with its output in the files `out` and `err`.
    func watch(_ more: String) throws -> Child {
        try scratch.start([Program.path, "watch", "--config", try settings(more)])
    }
}

/// Settings with ICMP targets on loopback, at the default interval of one second.
func loopbackSettings(count: Int) -> String {
    (1...count).map { "[[target]]\nname = \"Target \($0)\"\nurl = \"icmp://127.0.0.\($0)\"\n" }.joined()
}
