import ReachMonitoring
import Testing

@testable import ReachSettings

/// The settings of databases.
struct DatabaseSettingsTests {
    private func read(_ text: String, environment: [String: String] = [:]) throws -> [DatabaseQuestion] {
        try SettingsReader(file: "x.toml", environment: environment).settings(from: text).targets.compactMap { target in
            if case .database(let question) = target.question { question } else { nil }
        }
    }

    private func problems(_ text: String) -> [String] {
        do throws(SettingsFailure) {
            _ = try SettingsReader(file: "x.toml", environment: [:]).settings(from: text)
            return []
        } catch {
            return error.lines
        }
    }

    @Test func `credentials are in the URL or in a table, and TLS has its options`() throws {
        let questions = try read(
            """
            [defaults]
            redis = { password = "all" }
            tls = { ca = "/ca.pem", starttls = "smtp" }
            [[target]]
            url = "redis://a/3"
            redis = { user = "u", password = "${PW}" }
            [[target]]
            url = "rediss://b"
            [[target]]
            url = "redis://:own@c"
            [[target]]
            url = "postgresql://u@a/app?sslmode=require"
            postgres = { password = "p/w@" }
            tls = { verify = false }
            [[target]]
            url = "postgres://d"
            [[target]]
            url = "mariadb://e"
            """,
            environment: ["PW": "s3cret"]
        )
        let tls = TLSOptions(ca: "/ca.pem")
        #expect(
            questions == [
                DatabaseQuestion(.redis, host: "a", user: "u", password: "s3cret", database: "3"),
                DatabaseQuestion(.redis, isSecure: true, host: "b", password: "all", tls: tls),
                DatabaseQuestion(.redis, host: "c", password: "own"),
                DatabaseQuestion(
                    .postgres,
                    isSecure: true,
                    host: "a",
                    user: "u",
                    password: "p/w@",
                    database: "app",
                    tls: TLSOptions(ca: "/ca.pem", verifies: false)
                ),
                DatabaseQuestion(.postgres, host: "d"),
                DatabaseQuestion(.mysql, host: "e"),
            ]
        )
    }

    @Test(
        arguments: [
            (
                "redis://:p@a", "redis = { password = \"q\" }",
                "redis: cannot be combined with a password in the URL – remove one of the two"
            ),
            ("redis://a", "redis = { user = \"q\" }", "redis.user: needs a password – redis = { password = \"…\" }"),
            ("redis://a", "redis = { password = \"\" }", "redis.password: empty – remove password, or set a text"),
            (
                "redis://a", "redis = { pasword = \"secret\" }",
                "redis: unknown key \"pasword\" – did you mean \"password\"?"
            ),
            (
                "postgres://a", "postgres = { password = \"secret\" }",
                "postgres.password: needs a user – postgres://USER@a in the URL"
            ),
            (
                "postgres://u@a", "tls = { verify = false }",
                "tls: applies only with TLS – end the URL with ?sslmode=require"
            ),
            (
                "rediss://a", "tls = { starttls = \"smtp\" }",
                "tls: starttls does not apply to rediss – remove starttls, or tls://HOST:PORT"
            ),
            (
                "mysql://a", "redis = { password = \"secret\" }",
                "redis: redis options do not apply to method mysql – remove them"
            ),
            ("mysql://a", "mysql = { user = \"q\" }", "unknown key \"mysql\" – mysql has no options"),
        ]
    )
    func `options that do not fit are reported without secrets`(url: String, options: String, problem: String) {
        let problems = problems("[[target]]\nname = \"DB\"\nurl = \"\(url)\"\n\(options)\n")
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.hasSuffix(problem) == true, "\(problems)")
        #expect(!problems.joined().contains("secret"))
    }

    @Test func `a password in the URL cannot be edited on the screen, a variable can`() throws {
        let text = """
            [[target]]
            name = "A"
            url = "postgres://u:secret@a"
            [[target]]
            name = "B"
            url = "postgres://u:${PW}@a"
            [[target]]
            name = "C"
            url = "postgres://u@a"
            """
        let editor = SettingsEditor(SettingsReader(file: "x.toml", environment: ["PW": "secret"]))
        #expect(try editor.fields(of: "A", in: text).locked == [.url])
        #expect(try editor.fields(of: "A", in: text).values[.url] == nil)
        #expect(try editor.fields(of: "B", in: text).values[.url] == "postgres://u:${PW}@a")
        #expect(try editor.fields(of: "C", in: text).locked == [])
    }

    @Test func `targets with a password are not written to a new file`() throws {
        let target = Target(name: "a", question: try Question("redis://:secret@a"))
        #expect(SettingsEditor.text(with: [target]) == nil)
        #expect(SettingsEditor.text(with: [Target(name: "a", question: try Question("redis://a")).withPath]) != nil)
    }
}
