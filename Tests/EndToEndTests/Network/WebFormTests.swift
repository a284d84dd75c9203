import Foundation
import Testing

extension EndToEnd {
    /// The forms in which servers send responses: framing, compression, cookies and HTTP/2; curl with the same servers.
    @Suite(.serialized) struct WebFormTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// A server that answers each path with bytes as they are, and prints its port.
        private static let server = """
            import gzip, socket, sys, threading, zlib
            fine = b"all is fine"
            zipped = gzip.compress(fine)
            chunked = lambda b: b"%x\\r\\n%s\\r\\n0\\r\\n\\r\\n" % (len(b), b)
            ok = lambda fields, body: b"HTTP/1.1 200 OK\\r\\n" + fields.encode() + b"\\r\\n" + body
            coded = lambda name, body: ok("Content-Encoding: " + name + "\\r\\n", body)
            both = "Content-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n"
            move = lambda to, *cookies: b"HTTP/1.1 302 Found\\r\\n" + "".join(
                "Set-Cookie: " + c + "\\r\\n" for c in cookies).encode() + b"Location: " + to + b"\\r\\nContent-Length: 0\\r\\n\\r\\n"
            pages = {
                b"/both": ok(both, chunked(fine)),
                b"/equal": ok("Content-Length: 11\\r\\nContent-Length: 11\\r\\n", fine),
                b"/identity": ok("Transfer-Encoding: identity\\r\\nContent-Length: 11\\r\\n", fine),
                b"/old": b"HTTP/1.0 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n" + chunked(fine),
                b"/transfer": ok("Transfer-Encoding: gzip, chunked\\r\\n", chunked(zipped)),
                b"/gzip": coded("gzip", zipped), b"/x-gzip": coded("X-GZip", zipped),
                b"/deflate": coded("deflate", zlib.compress(fine)), b"/raw": coded("deflate", zlib.compress(fine)[2:-4]),
                b"/twice": coded("gzip, gzip", gzip.compress(zipped)),
                b"/plain": coded("gzip", fine), b"/checksum": coded("gzip", zipped[:-8] + bytes(4) + zipped[-4:]),
                b"/br": coded("br", bytes([0x8b, 5, 0x80]) + fine + bytes([3])),
                b"/cut": coded("gzip", zipped[:-9]), b"/members": coded("gzip", zipped + zipped),
                b"/bomb": coded("gzip", gzip.compress(bytes(30_000_000), 1)),
                b"/binary": ok("", zipped),
                b"/in": move(b"/app/a", "s=1; Path=/app", "gone=1; Path=/", "not=1; Path=/other"),
                b"/app/a": move(b"/app/b", "t=2", "gone=; Path=/; Max-Age=0"),
            }
            def answer(connection):
                head = b""
                while b"\\r\\n\\r\\n" not in head:
                    piece = connection.recv(65536)
                    if not piece: return
                    head += piece
                path = head.split()[1]
                cookies = [l[8:] for l in head.split(b"\\r\\n") if l.lower().startswith(b"cookie: ")]
                body = pages.get(path) or ok("", b"cookies: " + b"".join(cookies) + b"\\n")
                try: connection.sendall(body.split(b"\\r\\n\\r\\n")[0] + b"\\r\\n\\r\\n" if head[:4] == b"HEAD" else body)
                except OSError: pass
                connection.close()
            listening = socket.create_server(("127.0.0.1", 0))
            print(listening.getsockname()[1], flush=True)
            while True: threading.Thread(target=answer, args=(listening.accept()[0],), daemon=True).start()
            """

        private func start() async throws -> (child: Child, url: String) {
            let file = try scratch.write(Self.server, to: "server.py")
            let child = try Child(
                ["python3", file],
                in: scratch.path,
                streams: .files(output: scratch.file("port"), errors: scratch.file("server.err"))
            )
            let port = try await eventually("port", context: { scratch.text(of: "server.err") }) {
                UInt16(scratch.text(of: "port").trimmingCharacters(in: .whitespacesAndNewlines))
            }
            return (child, "http://127.0.0.1:\(port)")
        }

        /// What `reach check` says of a target.
        private func check(_ url: String, _ http: String, environment: [String: String] = [:]) throws -> String {
            try scratch.write("[[target]]\nname = \"Web\"\nurl = \"\(url)\"\n\(http)\n", to: "dashboard.toml")
            let tool = try Tool.run([Program.path, "check"], in: scratch.path, environment: environment)
            let words = tool.lines.dropLast().last?.split(separator: " ", omittingEmptySubsequences: true) ?? []
            let details = words.dropFirst(words.firstIndex(of: "-").map { $0 + 1 } ?? words.count)
            return tool.status == 0 ? "up" : details.joined(separator: " ") + tool.errors
        }

        private func curl(_ words: String...) throws -> String {
            let tool = try Tool.run(["curl", "-sS", "-m", "6"] + words, in: scratch.path)
            return tool.status == 0 ? tool.output : "curl \(tool.status)"
        }

        @Test(.enabled(if: Machine.hasPython && Machine.hasCurl, "python3 or curl is not installed"))
        func `a body is read as curl reads it`() async throws {
            let (child, url) = try await start()
            let pages = ["both", "equal", "identity", "old", "transfer", "gzip", "x-gzip", "deflate", "raw", "twice"]
            for page in pages {
                let said = try check("\(url)/\(page)", "http.body = \"^all is fine$\"")
                #expect(said == "up", "\(page): \(said)")
                #expect(try curl("--compressed", "\(url)/\(page)") == "all is fine", "\(page)")
            }
            for page in ["both", "equal"] {
                #expect(try check("\(url)/\(page)", "http.method = \"HEAD\"") == "up")
                #expect(try curl("-I", "\(url)/\(page)").contains("200 OK"))
            }
            let failures = [
                "plain": "invalid gzip body: no header",
                "checksum": "invalid gzip body: corrupt data",
                "members": "invalid gzip body: more data after its end",
                "br": "the body is compressed (br)",
            ]
            for (page, failure) in failures {
                #expect(try check("\(url)/\(page)", "http.body = \"fine\"") == failure)
                #expect(try check("\(url)/\(page)", "") == "up")
                let status = page == "members" ? 23 : 61
                if page != "br" { #expect(try curl("--compressed", "\(url)/\(page)") == "curl \(status)") }
            }
            // curl accepts this one; Go does not.
            #expect(try check("\(url)/cut", "http.body_not = \"error\"") == "invalid gzip body: it ends too early")
            let bomb = try check("\(url)/bomb", "http.json = { path = \"$.a\" }")
            #expect(bomb == "not JSON: the body is longer than 1 MiB")
            #expect(try check("\(url)/binary", "http.body = \"fine\"") == "no match in the body, which is binary")
            #expect(try check("\(url)/binary", "http.json = { path = \"$.a\" }") == "not JSON: the body is binary")
            withExtendedLifetime(child) {}
        }

        @Test(.enabled(if: Machine.hasPython && Machine.hasCurl, "python3 or curl is not installed"))
        func `fetch writes the bytes that curl writes`() async throws {
            let (child, url) = try await start()
            for page in ["both", "equal", "identity", "old", "gzip", "br", "binary"] {
                let address = "\(url)/\(page)"
                let fetched = try Tool.run([Program.path, "fetch", address, "-o", "ours"], in: scratch.path)
                #expect(fetched.status == 0 && fetched.errors == "", "\(page): \(fetched.errors)")
                _ = try curl(address, "-o", "theirs")
                let (ours, theirs) = (scratch.file("ours"), scratch.file("theirs"))
                #expect(FileManager.default.contentsEqual(atPath: ours, andPath: theirs), "\(page)")
            }
            withExtendedLifetime(child) {}
        }

        @Test(.enabled(if: Machine.hasPython && Machine.hasCurl, "python3 or curl is not installed"))
        func `cookies follow redirects as for curl`() async throws {
            let (child, url) = try await start()
            let expected = "cookies: s=1; t=2\n"
            // curl sends the newest first; RFC 6265 has the oldest first.
            let words = try curl("-L", "-b", "", "\(url)/in").split { " ;\n".contains($0) }
            #expect(words.map(String.init).sorted() == ["cookies:", "s=1", "t=2"])
            let said = try check("\(url)/in", "http = { follow = 3, body = \"^cookies: s=1; t=2\\n$\" }")
            #expect(said == "up")
            #expect(try Tool.run([Program.path, "fetch", "\(url)/in"], in: scratch.path).output == expected)
            withExtendedLifetime(child) {}
        }

        @Test(.enabled(if: Machine.hasPython, "python3 is not installed"))
        func `modules decompress a body where their file says so, and send cookies`() async throws {
            let (child, url) = try await start()
            let file = """
                modules:
                  plain: { prober: http, http: { fail_if_body_not_matches_regexp: [fine] } }
                  gzip: { prober: http, http: { compression: gzip, fail_if_body_not_matches_regexp: [fine] } }
                  deflate: { prober: http, http: { compression: deflate } }
                  small: { prober: http, http: { compression: gzip, body_size_limit: 10B } }
                  cookies: { prober: http, http: { fail_if_body_not_matches_regexp: ["cookies: s=1; t=2\\n"] } }
                """
            let path = try scratch.write(file, to: "blackbox.yml")
            let watch = try await ListeningWatch("", options: ["--blackbox", path])
            // As blackbox_exporter 0.23.
            for (module, page, isSuccess, length) in [
                ("plain", "gzip", 0, 31), ("plain", "both", 1, 11), ("gzip", "gzip", 1, 11), ("gzip", "plain", 0, 0),
                ("gzip", "cut", 0, 11), ("gzip", "checksum", 0, 11), ("deflate", "raw", 1, 11),
                ("small", "gzip", 0, 10), ("cookies", "in", 1, 18),
            ] {
                let lines = try watch.get("/probe?module=\(module)&target=\(url)/\(page)").lines
                #expect(lines.contains("probe_success \(isSuccess)"), "\(module) \(page): \(lines)")
                #expect(lines.contains("probe_http_uncompressed_body_length \(length)"), "\(module) \(page): \(lines)")
            }
            withExtendedLifetime(child) {}
        }

        @Test(.enabled(if: Machine.hasHTTP2Server, "nghttpd, openssl or curl is not installed"))
        func `a server that speaks only HTTP/2 is named`() async throws {
            try Tool.must(
                [
                    "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-keyout", scratch.file("key.pem"),
                    "-out", scratch.file("certificate.pem"),
                ]
            )
            try scratch.write("all is fine", to: "page")
            let port = UInt16.random(in: 12_000..<20_000)
            let start = { (words: [String]) in
                try Child(
                    ["nghttpd", "-a", "127.0.0.1", "-d", scratch.path] + words,
                    in: scratch.path,
                    streams: .files(output: "/dev/null", errors: scratch.file("nghttpd.err"))
                )
            }
            let plain = try start(["--no-tls", "\(port)"])
            let secure = try start(["\(port + 1)", scratch.file("key.pem"), scratch.file("certificate.pem")])
            try await eventually("listeners", context: { scratch.text(of: "nghttpd.err") }) {
                let list = try Tool.must(["ss", "--no-header", "--tcp", "--listening", "--numeric"]).output
                return list.contains(":\(port) ") && list.contains(":\(port + 1) ")
            }
            let (bare, secured) = ("http://127.0.0.1:\(port)/page", "https://localhost:\(port + 1)/page")
            let tls = "tls.ca = \"certificate.pem\""
            #expect(try check(bare, "") == "speaks only HTTP/2")
            #expect(try check(secured, tls) == "speaks only HTTP/2")
            #expect(try curl("--cacert", "certificate.pem", "--http1.1", secured).hasPrefix("curl"))
            #expect(try curl("--cacert", "certificate.pem", secured) == "all is fine")

            let refused = try Tool.run([Program.path, "fetch", bare], in: scratch.path)
            #expect(refused.status == 1 && refused.errors.contains("speaks only HTTP/2"), "\(refused.errors)")

            let file = "modules: { m: { prober: http, http: { tls_config: { insecure_skip_verify: true } } } }"
            let path = try scratch.write(file, to: "blackbox.yml")
            let watch = try await ListeningWatch("", options: ["--blackbox", path])
            for url in [bare, secured] {
                let text = try watch.get("/probe?module=m&debug=true&target=\(url)").body
                #expect(text.contains("err=\"speaks only HTTP/2\"") && text.contains("probe_success 0"), "\(text)")
            }
            withExtendedLifetime((plain, secure)) {}
        }
    }
}
