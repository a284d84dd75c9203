import Monitoring
import Testing

@testable import SettingsFile

struct SubstitutionTests {
    private let substitution = Substitution(environment: ["HOST": "nas.local", "EMPTY": "", "_a1": "x"])

    @Test(arguments: [
        ("tcp://${HOST}:445", "tcp://nas.local:445"),
        ("${HOST}${_a1}", "nas.localx"),
        ("${EMPTY}", ""),
        ("${EMPTY:-full}", "full"),
        ("${NONE:-}", ""),
        ("${NONE:-a:-b}", "a:-b"),
        ("${HOST:-other}", "nas.local"),
        ("$${HOST}", "${HOST}"),
        ("^220 .*$", "^220 .*$"),
        ("$HOST costs $5", "$HOST costs $5"),
        ("", ""),
    ])
    func `variables are substituted`(text: String, expected: String) throws {
        #expect(try substitution(text) == expected)
    }

    @Test(arguments: ["${NONE}", "${HOST", "${}", "${1A}", "${A-B}", "${HÖST}", "${:-x}"])
    func `an invalid or unset variable is an error`(text: String) {
        #expect(throws: Substitution.Failure.self) { try substitution(text) }
    }

    @Test func `values are not substituted again`() throws {
        #expect(try Substitution(environment: ["A": "${B}"])("${A}") == "${B}")
    }

    @Test func `variables are substituted in all strings except commands`() throws {
        let settings = try read(
            """
            [dashboard]
            theme = "${THEME}"
            [[target]]
            name = "${WHO}"
            url = "tcp://${HOST}:${PORT:-22}"
            group = "${WHO}s"
            interval = "${EVERY}"
            tcp = { send = "${SECRET}" }
            """,
            environment: ["THEME": "mono", "WHO": "NAS", "HOST": "h", "EVERY": "9s", "SECRET": "s"]
        )
        #expect(settings.theme == .mono)
        #expect(
            settings.targets == [
                Target(
                    name: "NAS",
                    question: .tcp(host: "h", port: 22, TCPOptions(send: "s")),
                    group: "NASs",
                    interval: .seconds(9)
                )
            ]
        )
    }
}
