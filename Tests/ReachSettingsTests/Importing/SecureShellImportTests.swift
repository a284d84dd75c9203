import Testing

@testable import ReachSettings

struct SecureShellImportTests {
    /// The notes about an ssh configuration.
    private func notes(on text: String) throws -> [String] {
        try SettingsImport(text, file: "config", format: .ssh).notes.map(\.description)
    }

    @Test(arguments: [
        ("sshpass -p s3cr3t ssh -W %h:%p bastion", "sshpass …"), ("\"sshpass -p s3cr3t ssh\"", "sshpass …"),
        ("/usr/bin/sshpass -ps3cr3t ssh", "/usr/bin/sshpass …"), ("PASSWORD=s3cr3t connect", "PASSWORD …"),
        ("'sshpass' -p s3cr3t", "…"), ("connect;PASSWORD=s3cr3t", "connect …"), ("connect", "connect"),
    ])
    func `of a ProxyCommand, only the program is in the note`(command: String, shown: String) throws {
        let reason = "only reachable through ProxyCommand \(shown) – probe its proxy"
        let notes = try notes(on: "Host nas\n  ProxyCommand \(command)\nHost web\n  Port 22\n")
        #expect(notes == ["config:1: nas: \(reason)"])
    }

    @Test func `a misspelt ProxyCommand is not in the note`() throws {
        let text = "Host nas\n  ProxyComand sshpass -p s3cr3t ssh\nHost web\n  Prt 23\n"
        #expect(
            try notes(on: text) == [
                "config:2: ProxyComand …: unknown keyword of ssh", "config:4: Prt 23: unknown keyword of ssh",
            ]
        )
    }
}
