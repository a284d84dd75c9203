import Monitoring

extension Layer {
    mutating func readICMP(from table: inout TableReader) {
        table.options("icmp", example: "{ size = 56 }") { icmp in
            set(\.icmp.size, to: icmp.integer("size", in: ICMPOptions.sizes))
            set(\.icmp.ttl, to: icmp.integer("ttl", in: 1...255))
            set(\.icmp.dscp, to: icmp.integer("dscp", in: 0...63))
        }
    }

    mutating func readTCP(from table: inout TableReader) {
        table.options("tcp", example: "{ expect = \"(?m)^SSH-2\" }") { tcp in
            set(\.tcp.send, to: tcp.payload("send"))
            set(\.tcp.expect, to: tcp.pattern("expect"))
        }
    }

    mutating func readSession(from table: inout TableReader) {
        table.options("session", example: "{ keepalive = \"15s\" }") { session in
            // The kernel counts whole seconds. Linux accepts at most this many (MAX_TCP_KEEPIDLE).
            set(\.session.keepalive, to: session.duration("keepalive", in: .seconds(1)...(.seconds(32_767))))
            set(\.session.send, to: session.payload("send"))
            set(\.session.expect, to: session.pattern("expect"))
            set(\.session.idleClose, to: session.choice("idle_close", of: SessionOptions.IdleClose.self))
        }
    }

    mutating func readTLS(from table: inout TableReader) {
        let origin = table.origin("tls", "key")
        table.options("tls", example: "{ warn_days = 14 }") { tls in
            set(\.tls.ca, to: tls.file("ca"))
            set(\.tls.serverName, to: tls.serverName("server_name"))
            set(\.tls.verifies, to: tls.flag("verify"))
            set(\.tls.warnDays, to: tls.integer("warn_days", in: 0...3_650))
            let (certificate, key) = (tls.file("cert"), tls.file("key"))
            // A certificate without a key has it in its own file, whatever key is inherited.
            if certificate != nil { change { $0.tls.key = nil } }
            set(\.tls.certificate, to: certificate)
            set(\.tls.key, to: key)
            if key != nil { set(\.keyOrigin, to: origin) }
            set(\.tls.starttls, to: tls.choice("starttls", of: TLSOptions.StartTLS.self))
        }
    }

    mutating func readHTTP(from table: inout TableReader) {
        let origin = table.origin("http", "proxy")
        table.options("http", example: "{ status = [200], body = \"ok\" }") { http in
            set(\.http.method, to: http.httpMethod("method"))
            let headers = http.headers("headers")
            change { $0.http.add(headers) }
            set(\.http.bodySent, to: http.sentText("body_sent"))
            set(\.http.status, to: http.statusCodes("status"))
            set(\.http.body, to: http.pattern("body"))
            set(\.http.bodyNot, to: http.pattern("body_not"))
            set(\.http.json, to: http.jsonChecks("json"))
            set(\.http.responseHeaders, to: http.headerChecks("response_headers"))
            let proxies = http.proxies("proxy")
            set(\.http.proxies, to: proxies)
            if proxies != nil { set(\.proxyOrigin, to: origin) }
            set(\.http.follow, to: http.integer("follow", in: 0...20))
            set(\.http.retries, to: http.integer("retries", in: 0...10))
        }
    }

    mutating func readDNS(from table: inout TableReader) {
        let origin = table.origin("dns", "rcode")
        table.options("dns", example: "{ answer = \"192.0.2.1\" }") { dns in
            let (answer, code) = (dns.text("answer"), dns.responseCode("rcode"))
            set(\.answer, to: answer)
            set(\.responseCode, to: code)
            if code != nil { set(\.responseCodeOrigin, to: origin) }
            set(\.transport, to: dns.choice("transport", of: DNSQuestion.Transport.self))
            if answer != nil, let code, code != .noerror { dns.reportAnswer(under: code) }
        }
    }

    mutating func readUDP(from table: inout TableReader) {
        table.options("udp", example: "{ send = \"ping\", expect = \"pong\" }") { udp in
            // The largest payload of an IPv4 datagram.
            set(\.udp.send, to: udp.payload("send", limit: 65_507))
            set(\.udp.expect, to: udp.pattern("expect"))
        }
    }

    mutating func readDatabases(from table: inout TableReader) {
        table.options("redis", example: "{ password = \"${REDIS_PASSWORD}\" }") { redis in
            set(\.redis.user, to: redis.credential("user"))
            set(\.redis.password, to: redis.credential("password"))
        }
        table.options("postgres", example: "{ password = \"${PGPASSWORD}\" }") { postgres in
            set(\.postgres.password, to: postgres.credential("password"))
        }
    }

    mutating func readExec(from table: inout TableReader) {
        let example = "run = [\"df\", \"/\"]"
        var command: HookCommand?
        table.options("exec", example: "{ \(example) }") { exec in
            command = exec.command("run")
            if !exec.has("run") { exec.reportMissing("run", hint: "such as \(example)") }
        }
        set(\.command, to: command)
        guard table.has("exec") else { return }
        table.log.hasCommands = true
        set(\.hasInvalidCommand, to: command == nil)
    }
}

extension HTTPOptions {
    /// Adds header fields. Each replaces one of the same name, ignoring case (RFC 9110 §5.1).
    fileprivate mutating func add(_ added: [Header]) {
        for header in added {
            headers.removeAll { $0.name.lowercased() == header.name.lowercased() }
            headers.append(header)
        }
    }
}
