import ReachMonitoring
import Testing

/// The URLs of databases. None is written with its user and its password.
struct DatabaseQuestionTests {
    @Test(
        arguments: [
            ("redis://a", DatabaseQuestion(.redis, host: "a"), "redis://a"),
            ("redis://a:6379/", DatabaseQuestion(.redis, host: "a"), "redis://a"),
            (
                "rediss://[::1]:7000/3",
                DatabaseQuestion(.redis, isSecure: true, host: "::1", port: 7_000, database: "3"),
                "rediss://[::1]:7000/3"
            ),
            ("redis://:secret@a", DatabaseQuestion(.redis, host: "a", password: "secret"), "redis://a"),
            (
                "redis://u:s%40%2f%3A:x@a/0",
                DatabaseQuestion(.redis, host: "a", user: "u", password: "s@/::x", database: "0"), "redis://a/0"
            ),
            ("postgres://a", DatabaseQuestion(.postgres, host: "a"), "postgres://a"),
            (
                "postgresql://u@a:6432/app",
                DatabaseQuestion(.postgres, host: "a", port: 6_432, user: "u", database: "app"), "postgres://a:6432/app"
            ),
            (
                "POSTGRES://u:p@a/b%20c?sslmode=require",
                DatabaseQuestion(
                    .postgres,
                    isSecure: true,
                    host: "a",
                    user: "u",
                    password: "p",
                    database: "b c"
                ), "postgres://a/b%20c?sslmode=require"
            ),
            ("postgres://a?sslmode=disable", DatabaseQuestion(.postgres, host: "a"), "postgres://a"),
            ("postgres://u:p@q@a", DatabaseQuestion(.postgres, host: "a", user: "u", password: "p@q"), "postgres://a"),
            ("mysql://a", DatabaseQuestion(.mysql, host: "a"), "mysql://a"),
            ("mariadb://a:3307/", DatabaseQuestion(.mysql, host: "a", port: 3_307), "mysql://a:3307"),
        ] as [(String, DatabaseQuestion, String)]
    )
    func `a URL is parsed, and written without credentials`(text: String, question: DatabaseQuestion, url: String)
        throws
    {
        let parsed = try Question(text)
        #expect(parsed == .database(question))
        #expect(parsed.url == url && parsed.host == question.host && parsed.port == question.port)
        #expect(try Question(url).url == url)
        #expect(!parsed.url.contains("@") && parsed.title?.contains("@") == false)
    }

    @Test(
        arguments: [
            ("redis://secret@a", "a user needs a password – redis://USER:PASSWORD@HOST, or redis://:PASSWORD@HOST"),
            ("redis://a/app", "invalid database \"app\" – a number, such as redis://a/0"),
            ("redis://a/0?x=1", "invalid query – leave it out"),
            ("postgres://:secret@a", "the user is missing – postgres://USER@HOST or postgres://USER:PASSWORD@HOST"),
            (
                "postgres://u:secret/x@a",
                "\"@\" after a slash – in a user or a password, write / as %2F, ? as %3F, # as %23"
            ),
            (
                "postgres://u:secret#x@a",
                "\"@\" after a slash – in a user or a password, write / as %2F, ? as %3F, # as %23"
            ),
            ("postgres://u:secret%zz@a", "invalid \"%\" in the password – write % as %25"),
            ("postgres://u:secret%+1@a", "invalid \"%\" in the password – write % as %25"),
            ("postgres://u:secret%00@a", "the password is not text – UTF-8, percent-encoded, without %00"),
            ("postgres://u%FF:secret@a", "the user is not text – UTF-8, percent-encoded, without %00"),
            ("postgres://a/b/c", "a path of one part, the database – postgres://a/NAME; write / as %2F"),
            ("postgres://a?sslmode=prefer", "unknown sslmode \"prefer\" – disable or require"),
            ("postgres://a?connect_timeout=1", "invalid query – ?sslmode=require"),
            ("postgres://u:secret@", "the host is missing"),
            ("postgres://u:secret@a:0", "invalid port \"0\" – a number from 1 to 65535"),
            ("postgres://a#b", "a fragment (\"#\") is never sent – leave it out"),
            ("mysql://u:secret@a", "mysql takes no user and no password – the login of the probe has none"),
            ("mysql://a/app", "mysql takes no database – the login of the probe has none"),
            ("mysql:a", "\"mysql:\" without \"//\" – mysql://a"),
        ]
    )
    func `an invalid URL is reported, without its password`(text: String, problem: String) {
        let error = #expect(throws: URLProblem.self) { try Question(text) }
        #expect(error?.description == problem)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(
        arguments: [
            ("postgres://u:p@a/b", "postgres://a/b", true), ("redis://:p@a", "redis://a", true),
            ("postgres://u:p/q@a", "postgres://a", true), ("postgres://u@a", "postgres://a", false),
            ("https://u:p@a/x", "https://a/x", true), ("https://a/@x", "https://a/@x", false), ("a:1", "a:1", false),
            ("@NAS", "@NAS", false),
        ]
    )
    func `user and password are removed from a text that may be a URL`(text: String, plain: String, hasPassword: Bool) {
        #expect(text.withoutUserInfo == plain && text.hasPassword == hasPassword)
    }

    @Test func `the intervals are those of other requests`() {
        for method in [Method.redis, .rediss, .postgres, .mysql] {
            #expect(method.defaultInterval == .seconds(10) && method.defaultFall == 3 && method.isDatabase)
        }
    }
}
