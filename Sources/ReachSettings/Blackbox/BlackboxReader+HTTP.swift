import ReachMonitoring

extension BlackboxReader {
    private static let unsupportedKeys = [
        "oauth2": "reach requests no tokens",
        "fail_if_body_json_matches_cel": "reach has no CEL",
        "fail_if_body_json_not_matches_cel": "reach has no CEL",
        "proxy_from_environment": "use proxy_url",
        "no_proxy": "use proxy_url in the modules that need it",
        "proxy_connect_header": "reach sends no header fields to proxies but the credentials of proxy_url",
        "http_headers": "use headers",
    ]

    /// Reads the options of the prober http.
    func http(_ network: inout Network) -> BlackboxHTTPModule {
        var module = BlackboxHTTPModule()
        read(unsupported: Self.unsupportedKeys) { key, value in
            readRequest(key, value, into: &module) || readChecks(key, value, into: &module)
                || readClient(key, value, into: &module)
                || (key != "source_ip_address" && readNetwork(key, value, into: &network))
        }
        if module.body != nil, module.bodyFile != nil {
            log.report("body and body_file cannot be combined", hint: "remove one", about: title, line: line)
        }
        return module
    }

    private func readRequest(_ key: String, _ value: YAMLValue, into module: inout BlackboxHTTPModule) -> Bool {
        switch key {
        case "method":
            guard let method = nonEmptyText(key, value) else { break }
            if !method.isHTTPToken || method == "CONNECT" {
                noteUnsupported("invalid method \(method.quoted)", about: key, value)
            }
            module.method = method
        case "headers":
            let reader = nested(key, value)
            reader.read { name, value in
                guard let text = reader.text(name, value) else { return true }
                // The blackbox exporter leaves these fields out.
                let isFraming = ["content-length", "transfer-encoding", "trailer"].contains(name.lowercased())
                guard !isFraming else { return true }
                let hasControl = text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }
                if !name.isHTTPToken || hasControl {
                    reader.noteUnsupported("invalid header field", hint: "one line of text", about: name.quoted, value)
                }
                module.headers.append(HTTPOptions.Header(name: name, value: text))
                return true
            }
            module.headers.sort { $0.name < $1.name }
        case "body": module.body = nonEmptyText(key, value)
        case "body_file": module.bodyFile = nonEmptyText(key, value)
        case "follow_redirects": if let flag = flag(key, value) { module.follow = flag ? 10 : 0 }
        case "no_follow_redirects": if let flag = flag(key, value) { module.follow = flag ? 0 : 10 }
        default: return false
        }
        return true
    }

    private func readChecks(_ key: String, _ value: YAMLValue, into module: inout BlackboxHTTPModule) -> Bool {
        switch key {
        case "valid_status_codes":
            module.status = elements(key, value).compactMap { integer(key, $0) }
        case "valid_http_versions":
            module.versions = texts(key, value)
            if !module.versions.isEmpty, !module.versions.contains(where: { $0.hasPrefix("HTTP/1.") }) {
                noteUnsupported("not supported: reach speaks HTTP/1.1", hint: "add HTTP/1.1", about: key, value)
            }
        case "fail_if_ssl": module.failsIfTLS = flag(key, value) ?? false
        case "fail_if_not_ssl": module.failsIfNotTLS = flag(key, value) ?? false
        case "fail_if_body_matches_regexp": module.bodyNot = patterns(key, value)
        case "fail_if_body_not_matches_regexp": module.bodyPatterns = patterns(key, value)
        case "fail_if_header_matches": module.headerNot = headerMatches(key, value)
        case "fail_if_header_not_matches": module.headerPatterns = headerMatches(key, value)
        case "body_size_limit": module.bodyLimit = size(key, value)
        case "compression":
            guard let text = text(key, value) else { break }
            switch text.lowercased() {
            case "", "identity": module.decompression = .none
            case "gzip": module.decompression = .gzip
            case "deflate": module.decompression = .deflate
            default: noteUnsupported("not supported: \(text.quoted)", hint: "gzip or deflate", about: key, value)
            }
        default: return false
        }
        return true
    }

    private func headerMatches(_ key: String, _ value: YAMLValue) -> [BlackboxHTTPModule.HeaderMatch] {
        elements(key, value).compactMap { element in
            let reader = nested(key, element)
            var (name, pattern, mayBeMissing): (String?, BlackboxPattern?, Bool) = (nil, nil, false)
            reader.read { key, value in
                switch key {
                case "header": name = reader.nonEmptyText(key, value)
                case "regexp": pattern = reader.pattern(key, value)
                case "allow_missing": mayBeMissing = reader.flag(key, value) ?? false
                default: return false
                }
                return true
            }
            guard let name, let pattern else {
                report("header or regexp is missing", hint: "both are needed", about: key, element)
                return nil
            }
            return BlackboxHTTPModule.HeaderMatch(name, pattern, mayBeMissing: mayBeMissing)
        }
    }

    /// Reads a size such as `10MB`; nil for none, and for no limit. The units are powers of 1,024.
    private func size(_ key: String, _ value: YAMLValue) -> Int? {
        guard let text = nonEmptyText(key, value), text != "0" else { return nil }
        var units = ["B": 1.0]
        for (power, letter) in "KMGTPE".enumerated() {
            let size = Double(1 << (10 * (power + 1)))
            (units["\(letter)B"], units["\(letter)iB"]) = (size, size)
        }
        guard let size = text[...].sum(of: units) else {
            report("invalid size \(text.quoted)", hint: "such as 10MB", about: key, value)
            return nil
        }
        return size < 1 ? nil : Int(min(size, 1e18))
    }
}

// MARK: Client

extension BlackboxReader {
    private func readClient(_ key: String, _ value: YAMLValue, into module: inout BlackboxHTTPModule) -> Bool {
        switch key {
        case "tls_config": module.tls = tls(key, value)
        case "basic_auth", "authorization", "bearer_token", "bearer_token_file":
            let authorization = authorization(key, value)
            if authorization != nil, module.authorization != nil {
                report("cannot be combined with other credentials", hint: "remove one", about: key, value)
            }
            module.authorization = authorization ?? module.authorization
        case "proxy_url":
            guard let text = nonEmptyText(key, value) else { break }
            do throws(URLProblem) {
                module.proxies = try Proxies(text)
            } catch {
                // A proxy of another kind, such as SOCKS, is a URL for the blackbox exporter.
                if text.prefixMatch(of: /[a-z0-9]+:\/\/./) == nil {
                    report(error.message, hint: error.hint, about: key, value)
                } else {
                    noteUnsupported(error.message, hint: error.hint, about: key, value)
                }
            }
        case "skip_resolve_phase_with_proxy": module.leavesNameToProxy = flag(key, value) ?? false
        // HTTP/1.1 is spoken in any case.
        case "enable_http2": _ = flag(key, value)
        case "enable_http3":
            if flag(key, value) == true {
                noteUnsupported("not supported: reach speaks HTTP/1.1", hint: "remove it", about: key, value)
            }
        default: return false
        }
        return true
    }

    private func authorization(_ key: String, _ value: YAMLValue) -> BlackboxAuthorization? {
        switch key {
        case "bearer_token": return text(key, value).map { .scheme("Bearer", .text($0)) }
        case "bearer_token_file": return text(key, value).map { .scheme("Bearer", .file($0)) }
        default: break
        }
        let isBasic = key == "basic_auth"
        let reader = nested(key, value)
        var (name, secrets): (String?, [BlackboxSecret]) = (nil, [])
        let reference = "reach has no secret manager"
        let unsupported = [
            "username_file": "use username", "username_ref": reference, "password_ref": reference,
            "credentials_ref": reference,
        ]
        reader.read(unsupported: unsupported) { key, value in
            switch (key, isBasic) {
            case ("username", true), ("type", false): name = reader.text(key, value)
            case ("password", true), ("credentials", false): reader.text(key, value).map { secrets.append(.text($0)) }
            case ("password_file", true), ("credentials_file", false):
                reader.text(key, value).map { secrets.append(.file($0)) }
            default: return false
            }
            return true
        }
        if secrets.count > 1 { report("two secrets", hint: "remove one", about: key, value) }
        let secret = secrets.first ?? .text("")
        if isBasic { return .basic(user: name ?? "", secret) }
        if name?.lowercased() == "basic" {
            report("type Basic", hint: "use basic_auth", about: key, value)
        }
        return .scheme(name.flatMap { $0.isEmpty ? nil : $0 } ?? "Bearer", secret)
    }
}
