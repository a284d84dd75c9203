import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Real servers of Redis, PostgreSQL and MariaDB.
    @Suite(.serialized, .live, .timeLimit(.minutes(3))) struct DatabaseTests {
        private static let password = "p@ss/w:rd s3cret"

        /// The object of `check --json`.
        private struct Results: Decodable {
            struct Result: Decodable {
                let target: String
                let health: String
                let reason: String?
                let detail: String?
                let url: String

                var summary: String { ([health] + [reason, detail].compactMap(\.self)).joined(separator: ": ") }
            }

            let targets: [Result]
        }

        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// Checks targets, each with its URL and its options, and returns the results by name.
        private func check(_ targets: [(name: String, url: String, options: String)]) throws -> [String: String] {
            let tables = targets.map { name, url, options in
                "[[target]]\nname = \"\(name)\"\nurl = \"\(url)\"\n\(options)\n"
            }
            try scratch.write("[defaults]\nfall = 1\n" + tables.joined(), to: "dashboard.toml")
            let tool = try Tool.run(
                [Program.path, "check", "--json"],
                in: scratch.path,
                environment: ["PW": Self.password],
                within: .seconds(30)
            )
            #expect(!tool.output.contains("s3cret") && !tool.errors.contains("s3cret"), "\(tool.output)\(tool.errors)")
            #expect(try Schema("targets").problems(of: tool.output) == [])
            let results = try JSONDecoder().decode(Results.self, from: Data(tool.output.utf8)).targets
            #expect(results.allSatisfy { !$0.url.contains("@") })
            return Dictionary(uniqueKeysWithValues: results.map { ($0.target, $0.summary) })
        }

        // MARK: Redis

        @Test(.enabled(if: Machine.hasRedis, "redis-server is not installed"))
        func `Redis answers PING, and its errors are shown`() async throws {
            let open = try await DatabaseServer(
                "open",
                "exec redis-server --port $PORT --bind 127.0.0.1 --save ''",
                in: scratch
            )
            let settings = """
                cat > redis.conf <<END
                bind 127.0.0.1
                save ""
                requirepass "\(Self.password)"
                user monitor on ">\(Self.password)" +ping +select
                user mute on ">\(Self.password)"
                port 0
                tls-port $PORT
                tls-cert-file server.pem
                tls-key-file server.key
                tls-auth-clients no
                END
                \(Self.certificate)
                exec redis-server redis.conf
                """
            let secure = try await DatabaseServer("secure", settings, in: scratch)
            let stale = try await DatabaseServer(
                "stale",
                "exec redis-server --port $PORT --bind 127.0.0.1 --save '' --replicaof 127.0.0.1 1 "
                    + "--replica-serve-stale-data no",
                in: scratch
            )
            let tls = "tls = { ca = \"\(secure.folder)/server.pem\" }"
            let password = "redis = { password = \"${PW}\" }"
            let (plain, url) = ("redis://127.0.0.1:\(open.port)", "rediss://localhost:\(secure.port)")
            let results = try check([
                ("plain", plain, ""), ("database", "\(plain)/3", ""), ("no database", "\(plain)/99", ""),
                ("no password", plain, password), ("stale", "redis://127.0.0.1:\(stale.port)", ""),
                ("secure", url, "\(tls)\n\(password)"), ("asked", url, tls),
                ("user", url, "\(tls)\nredis = { user = \"monitor\", password = \"${PW}\" }"),
                ("mute", url, "\(tls)\nredis = { user = \"mute\", password = \"${PW}\" }"),
                ("wrong", url, "\(tls)\nredis = { user = \"monitor\", password = \"s3cret\" }"),
                ("unknown", url, password),
            ])
            #expect(results["plain"] == "up" && results["database"] == "up")
            #expect(results["no database"] == "down: server_error: ERR DB index is out of range")
            #expect(results["no password"]?.hasPrefix("down: login_failed: AUTH <password> called without any") == true)
            #expect(results["stale"]?.hasPrefix("down: server_error: MASTERDOWN Link with MASTER is down") == true)
            #expect(results["secure"]?.hasPrefix("up: ") == true && results["user"]?.hasPrefix("up: ") == true)
            #expect(results["asked"] == "up: password required")
            #expect(results["mute"]?.hasPrefix("down: server_error: NOPERM") == true)
            #expect(results["wrong"]?.hasPrefix("down: login_failed: WRONGPASS invalid username-password pair") == true)
            #expect(results["unknown"]?.hasPrefix("down: certificate_untrusted") == true, "\(results)")
        }

        /// Creates a certificate for this machine, which is its own authority.
        private static let certificate = """
            openssl req -x509 -newkey rsa:2048 -nodes -keyout server.key -out server.pem -days 30 -subj /CN=localhost \
            -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2> /dev/null
            """

        // MARK: PostgreSQL

        private static let makeCluster = """
            echo 'postgres s3cret' > password
            initdb -D data -U postgres -A scram-sha-256 --pwfile=password --no-sync --locale=C -E UTF8 > /dev/null
            cat > data/pg_hba.conf <<END
            host all trusted 127.0.0.1/32 trust
            host all limited 127.0.0.1/32 trust
            host all refused 127.0.0.1/32 reject
            host all old 127.0.0.1/32 md5
            host all clear 127.0.0.1/32 password
            host all all 127.0.0.1/32 scram-sha-256
            END
            cat > roles.sql <<END
            CREATE DATABASE app;
            CREATE ROLE monitor LOGIN PASSWORD '\(password)';
            CREATE ROLE clear LOGIN PASSWORD '\(password)';
            CREATE ROLE trusted LOGIN;
            CREATE ROLE limited LOGIN CONNECTION LIMIT 0;
            CREATE ROLE refused LOGIN;
            SET password_encryption = 'md5';
            CREATE ROLE old LOGIN PASSWORD '\(password)';
            END
            postgres --single -D data postgres < roles.sql > /dev/null
            \(certificate)
            """

        private static let runCluster = """
            exec postgres -D data -p $PORT -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off \
            -c shared_buffers=1MB -c ssl=on -c ssl_cert_file=$PWD/server.pem -c ssl_key_file=$PWD/server.key
            """

        @Test(.enabled(if: DatabaseServer.postgresFolder != nil, "postgresql is not installed"))
        func `PostgreSQL accepts clients, and its errors are shown`() async throws {
            let server = try await DatabaseServer("pg", Self.makeCluster + "\n" + Self.runCluster, in: scratch)
            let host = "127.0.0.1:\(server.port)"
            let password = "postgres = { password = \"${PW}\" }"
            let tls = "tls = { ca = \"\(server.folder)/server.pem\" }"
            let results = try check([
                ("plain", "postgres://\(host)", ""), ("scram", "postgres://monitor@\(host)/app", password),
                ("md5", "postgresql://old@\(host)/app", password), ("clear", "postgres://clear@\(host)/app", password),
                ("in the URL", "postgres://monitor:p%40ss%2Fw%3Ard%20s3cret@\(host)/app", ""),
                ("trusted", "postgres://trusted@\(host)/app", ""),
                ("wrong", "postgres://monitor:s3cret@\(host)/app", ""),
                ("database", "postgres://trusted@\(host)/nothing", ""),
                ("limited", "postgres://limited@\(host)/app", ""), ("refused", "postgres://refused@\(host)/app", ""),
                ("secure", "postgres://monitor@localhost:\(server.port)/app?sslmode=require", "\(password)\n\(tls)"),
                ("unknown", "postgres://\(host)?sslmode=require", ""),
            ])
            #expect(results["plain"] == "up: password required")
            for name in ["scram", "md5", "clear", "in the URL", "trusted", "secure"] {
                #expect(results[name]?.hasPrefix("up: PostgreSQL ") == true, "\(name): \(results[name] ?? "")")
            }
            #expect(
                results["wrong"]
                    == "down: login_failed: password authentication failed for user \"monitor\" (28P01)"
            )
            #expect(results["database"] == "down: server_error: database \"nothing\" does not exist (3D000)")
            #expect(results["limited"] == "down: server_error: too many connections for role \"limited\" (53300)")
            #expect(
                results["refused"]?.hasPrefix("down: login_failed: pg_hba.conf rejects connection for host") == true
            )
            #expect(results["unknown"]?.hasPrefix("down: certificate_untrusted") == true, "\(results)")
            let log = scratch.text(of: "pg.err")
            #expect(!log.contains("could not receive data") && !log.contains("unexpected EOF"), "\(log)")
            try await server.stop()

            // A standby without hot standby refuses clients, like a server that starts.
            let standby = try await DatabaseServer(
                "pg",
                "touch data/standby.signal\n" + Self.runCluster + " -c hot_standby=off",
                in: scratch
            )
            let starting = try check([
                ("plain", "postgres://127.0.0.1:\(standby.port)", ""),
                ("login", "postgres://monitor@127.0.0.1:\(standby.port)/app", password),
            ])
            for name in ["plain", "login"] {
                #expect(starting[name]?.hasPrefix("down: server_error: the database system is ") == true, "\(starting)")
                #expect(starting[name]?.hasSuffix("(57P03)") == true, "\(starting)")
            }
        }

        @Test(.enabled(if: DatabaseServer.postgresFolder != nil, "postgresql is not installed"))
        func `passwords are never in lines, logs and pages`() async throws {
            let server = try await DatabaseServer("pg", Self.makeCluster + "\n" + Self.runCluster, in: scratch)
            let host = "127.0.0.1:\(server.port)"
            let settings = """
                [defaults]
                interval = "3s"
                fall = 1
                [[target]]
                url = "postgres://monitor:wrong-s3cret@\(host)/app"
                [[target]]
                name = "${PW}"
                url = "postgres://monitor@\(host)/app"
                postgres = { password = "${PW}" }
                  [[target.hooks]]
                  on = "up"
                  at_start = true
                  run = "env > hook; cat >> hook"
                """
            for options in [[], ["--json"]] {
                let watch = try await ListeningWatch(
                    settings,
                    environment: ["PW": Self.password],
                    options: options + ["--observations", "-vvv", "--log", "log"]
                )
                let scratch = watch.scratch
                try await eventually("failed login", within: .seconds(20), context: { scratch.text(of: "out") }) {
                    scratch.text(of: "out").contains("password authentication failed")
                        && scratch.text(of: "out").contains("PostgreSQL 1")
                }
                let pages = try ["/metrics", "/targets"].map { try watch.get($0).body }
                watch.child.send(SIGTERM)
                _ = try await watch.child.end()
                for text in pages + ["log", "out", "err"].map(scratch.text) {
                    let lines = text.split(separator: "\n").filter { $0.contains("s3cret") }
                    #expect(lines.isEmpty, "\(lines.prefix(3))")
                }
            }
        }

        // MARK: MariaDB

        @Test(
            .enabled(if: Machine.hasMariaDB, "mariadb-server is not installed"),
            .enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here")
        )
        func `MariaDB is up, and probes do not block the host`() async throws {
            let network = try Namespace()
            try network.setResolver("127.0.0.1")
            // The server counts no errors of loopback addresses, nor of those without a name.
            try network.ip("address", "add", "198.51.100.7/32", "dev", "lo")
            let names = "127.0.0.1 localhost\n198.51.100.7 client.test\n"
            try Data(names.utf8).write(to: URL(filePath: "/etc/netns/\(network.name)/hosts"))
            let script = """
                mariadb-install-db --no-defaults --datadir="$PWD/data" --auth-root-authentication-method=normal \
                --skip-test-db --force > /dev/null
                echo "CREATE USER someone IDENTIFIED BY 's3cret';" > init.sql
                exec mariadbd --no-defaults --datadir="$PWD/data" --port=$PORT --bind-address=0.0.0.0 \
                --socket="$PWD/socket" --pid-file="$PWD/pid" --max-connect-errors=3 --init-file="$PWD/init.sql" --innodb-buffer-pool-size=8M
                """
            let server = try await DatabaseServer("maria", script, in: scratch, of: network)
            let url = "mysql://198.51.100.7:\(server.port)"
            func check(_ words: String...) throws -> Tool {
                try Tool.run(network.words([Program.path, "check"] + words), in: scratch.path, within: .seconds(30))
            }
            let first = try check(url, "--count", "8")
            #expect(first.status == 0 && first.output.contains("  up  "), "\(first.output)\(first.errors)")
            #expect(first.output.contains("-MariaDB"), "\(first.output)")
            #expect(try check("mariadb://198.51.100.7:\(server.port)").status == 0)
            // Broken handshakes do.
            let rude = "[[target]]\nname = \"Rude\"\nurl = \"tcp://198.51.100.7:\(server.port)\"\n"
            try scratch.write(rude + "tcp = { send = \"\(String(repeating: "x", count: 40))\" }\n", to: "rude.toml")
            _ = try check("--config", "rude.toml", "--count", "8")
            let blocked = try check(url)
            #expect(blocked.status == 1)
            #expect(
                blocked.output.contains("Host '198.51.100.7' is blocked because of many connection"),
                "\(blocked.output)"
            )
            // The table has no room for the end of the text.
            #expect(try check("--json", url).output.contains("mariadb-admin flush-hosts' (1129)"))
        }
    }
}
