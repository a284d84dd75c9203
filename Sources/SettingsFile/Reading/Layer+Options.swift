import Monitoring

extension Layer {
    mutating func takeICMP(from table: inout TableReader) {
        table.options("icmp", such: "{ size = 56 }") { icmp in
            set(\.icmp.size, to: icmp.integer("size", in: ICMPOptions.sizes))
            set(\.icmp.ttl, to: icmp.integer("ttl", in: 1...255))
            set(\.icmp.dscp, to: icmp.integer("dscp", in: 0...63))
        }
    }

    mutating func takeTCP(from table: inout TableReader) {
        table.options("tcp", such: "{ expect = \"^SSH-2\" }") { tcp in
            set(\.tcp.send, to: tcp.payload("send"))
            set(\.tcp.expect, to: tcp.pattern("expect"))
        }
    }

    mutating func takeSession(from table: inout TableReader) {
        table.options("session", such: "{ keepalive = \"15s\" }") { session in
            // The kernel counts whole seconds, and Linux takes no more than these (MAX_TCP_KEEPIDLE).
            set(\.session.keepalive, to: session.duration("keepalive", in: .seconds(1)...(.seconds(32_767))))
            set(\.session.send, to: session.payload("send"))
            set(\.session.expect, to: session.pattern("expect"))
            set(\.session.idleClose, to: session.choice("idle_close", of: SessionOptions.IdleClose.self))
        }
    }

    mutating func takeTLS(from table: inout TableReader) {
        table.options("tls", such: "{ warn_days = 14 }") { tls in
            set(\.tls.ca, to: tls.file("ca"))
            set(\.tls.serverName, to: tls.serverName("server_name"))
            set(\.tls.verifies, to: tls.flag("verify"))
            set(\.tls.warnDays, to: tls.integer("warn_days", in: 0...3_650))
            set(\.tls.starttls, to: tls.choice("starttls", of: TLSOptions.StartTLS.self))
        }
    }

    mutating func takeHTTP(from table: inout TableReader) {
        table.options("http", such: "{ status = [200], body = \"ok\" }") { http in
            set(\.http.method, to: http.httpMethod("method"))
            let headers = http.headers("headers")
            change { $0.http.add(headers) }
            set(\.http.bodySent, to: http.text("body_sent"))
            set(\.http.status, to: http.integers("status", in: 100...599, such: "200 or [200, 204]"))
            set(\.http.body, to: http.pattern("body"))
            set(\.http.follow, to: http.integer("follow", in: 0...20))
            set(\.http.retries, to: http.integer("retries", in: 0...10))
        }
    }

    mutating func takeDNS(from table: inout TableReader) {
        table.options("dns", such: "{ answer = \"192.0.2.1\" }") { dns in
            let (answer, code) = (dns.text("answer"), dns.responseCode("rcode"))
            set(\.answer, to: answer)
            set(\.responseCode, to: code)
            if answer != nil, let code, code != .noerror { dns.reportAnswer(under: code) }
        }
    }

    mutating func takeUDP(from table: inout TableReader) {
        table.options("udp", such: "{ send = \"ping\", expect = \"pong\" }") { udp in
            // The most that a datagram of IPv4 carries.
            set(\.udp.send, to: udp.payload("send", most: 65_507))
            set(\.udp.expect, to: udp.pattern("expect"))
        }
    }

    mutating func takeExec(from table: inout TableReader) {
        let example = "run = [\"df\", \"/\"]"
        var command: HookCommand?
        table.options("exec", such: "{ \(example) }") { exec in
            command = exec.command("run")
            if !exec.has("run") { exec.reportMissing("run", hint: "such as \(example)") }
        }
        set(\.command, to: command)
        guard table.has("exec") else { return }
        table.log.hasCommands = true
        set(\.isCommandBroken, to: command == nil)
    }
}

extension HTTPOptions {
    /// Adds header fields, each in place of one of the same name; case is of no meaning there (RFC 9110 §5.1).
    fileprivate mutating func add(_ added: [Header]) {
        for header in added {
            headers.removeAll { $0.name.lowercased() == header.name.lowercased() }
            headers.append(header)
        }
    }
}
