/// A target called Door that comes and goes, and a folder for what its hooks leave behind.
struct Door {
    let scratch: Scratch
    /// Behind the door: the target is up while it listens.
    let listener: Listener

    init() throws {
        scratch = try Scratch()
        listener = try Listener()
    }

    /// Settings with the target, asked every 200 ms unless the lines that follow it say otherwise.
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

    /// `reach watch` with these settings; what it says goes to the files `out` and `err`.
    func watch(_ more: String) throws -> Child {
        try scratch.start([Program.path, "watch", "--config", try settings(more)])
    }
}
