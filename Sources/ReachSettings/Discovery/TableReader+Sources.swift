import ReachBasics
import ReachMonitoring

extension TableReader {
    private static let sourceKeys = ["file", "http", "command", "prometheus", "dns"]

    /// Reads where the list of a source is from: exactly one of five keys.
    mutating func sourceKind() -> DiscoverySource.Kind? {
        let example = "such as file = \"targets/*.json\""
        let (file, http, prometheus) = (
            listFile("file"), sourceURL("http", example: "http://127.0.0.1:8080/targets"),
            sourceURL("prometheus", example: "http://127.0.0.1:9090")
        )
        if has("command") { log.hasCommands = true }
        let command = command("command")
        let name = serviceName("dns")
        let servers = resolvers("servers")
        let (authorities, certificate, key) = (self.file("ca"), self.file("cert"), self.file("key"))
        schema?.requireOne(of: Self.sourceKeys)
        let found = Self.sourceKeys.filter(has)
        guard found.count == 1 else {
            if let second = found.dropFirst().first {
                report("cannot be combined with \(found[0])", hint: "make two [[source]] tables of it", about: second)
            } else if !isDescribing {
                reportMissing("file", hint: "\(example), http, command, prometheus or dns")
            }
            return nil
        }
        let isHTTP = found[0] == "http" || found[0] == "prometheus"
        for key in ["ca", "cert", "key"] where has(key) && !isHTTP { reportOnlyForHTTP(key) }
        if has("servers"), found[0] != "dns" { report("applies to dns only", hint: "remove it", about: "servers") }
        if key != nil, certificate == nil { report("a key without a certificate", hint: "add cert = …", about: "key") }
        if var request = http ?? prometheus {
            (request.authorities, request.certificate, request.key) = (authorities, certificate, key)
            return http == nil ? .prometheus(request) : .http(request)
        }
        if let command { return .command(command) }
        if let name { return .services(name, servers: servers) }
        return file.map { .files(pattern: $0, directory: log.directory(ofFile: path.file)) }
    }

    private func reportOnlyForHTTP(_ key: String) {
        report("applies to http and prometheus only", hint: "remove it", about: key)
    }

    /// Reads the pattern of the files of a list.
    private mutating func listFile(_ key: String) -> String? {
        describe(key, as: .text(matching: #"^[^~\s].*\.([jJ][sS][oO][nN]|[yY][aA]?[mM][lL])$"#))
        guard let pattern = text(key) else { return nil }
        if let (message, hint) = Self.problem(inFileName: pattern) {
            report(message, hint: hint, about: key)
            return nil
        }
        guard pattern.isListFile else {
            let hint = "the name ends with .json, .yml or .yaml, as in Prometheus"
            report("unknown format of \(pattern.quoted)", hint: hint, about: key)
            return nil
        }
        return pattern
    }

    /// Reads the URL of a server.
    private mutating func sourceURL(_ key: String, example: String) -> DiscoveryRequest? {
        describe(key, as: .text(matching: "^https?://"))
        guard let url = text(key) else { return nil }
        let hint = "such as \(example)"
        guard url.contains("://") || url.lowercased().hasPrefix("http:") else {
            report("a URL without http:// or https://", hint: Question.webURL(url), about: key)
            return nil
        }
        do {
            guard case .http(let question) = try Question(url) else {
                report("expected http or https", hint: hint, about: key)
                return nil
            }
            guard !question.host.isEmpty, url.contains("://") else {
                report("expected a URL", hint: hint, about: key)
                return nil
            }
            return DiscoveryRequest(url: url)
        } catch {
            let own = error == .httpCredentials ? "write user and password, or headers" : error.hint
            report(error.message, hint: own ?? hint, about: key)
            return nil
        }
    }

    /// Reads the name of a service.
    private mutating func serviceName(_ key: String) -> String? {
        describe(key, as: .text(matching: #"^\S+$"#))
        guard let typed = text(key) else { return nil }
        let name = (try? typed.convertedDomainName) ?? typed
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            name.utf8.count <= 253 && name.utf8.allSatisfy { $0 < 0x80 }
            && labels.allSatisfy { (1...63).contains($0.utf8.count) }
        guard isName, !name.contains("/"), !name.contains(where: \.isWhitespace) else {
            report(
                "invalid name \(name.quoted)",
                hint: "such as _http._tcp.example.com, without a dot at the end",
                about: key
            )
            return nil
        }
        return name
    }

    /// Reads the addresses of name servers, with a port or without.
    private mutating func resolvers(_ key: String) -> [String] {
        let example = "such as [\"192.0.2.53\", \"[2001:db8::53]:5353\"]"
        return (texts(key, example: example) ?? []).compactMap { element in
            guard element.text.isResolver else {
                report("invalid address \(element.text.quoted)", hint: example, about: key, at: element)
                return nil
            }
            return element.text
        }
    }

    // MARK: Credentials

    /// The header fields of a source: as they are written, and read again for each request.
    typealias SourceHeaders = (
        texts: [String], read: @Sendable () throws(DiscoveryProblem) -> [HTTPOptions.Header]
    )

    /// Reads the header fields of requests: `headers`, `bearer`, or `user` and `password`.
    mutating func sourceHeaders(for kind: DiscoverySource.Kind?) -> SourceHeaders {
        // The values are checked here, and read again for each request, since tokens in files are replaced.
        var fields = headers("headers").compactMap { header in
            headerText(header.name).map { (name: header.name, prefix: "", text: $0) }
        }
        let (bearer, user, password) = (sentText("bearer"), sentText("user"), sentText("password"))
        if let bearer, let (message, hint) = Self.problem(inHeader: "Authorization", bearer) {
            report(message, hint: hint, about: "bearer")
        }
        for key in ["headers", "bearer", "user", "password"] where has(key) {
            switch kind {
            case .http, .prometheus, nil: break
            case .files, .command, .services: reportOnlyForHTTP(key)
            }
        }
        if has("user") != has("password") {
            report(
                "user and password belong together",
                hint: "add the other one",
                about: has("user") ? "user" : "password"
            )
        }
        let hasAuthorization = fields.contains { $0.name.lowercased() == "authorization" }
        if [has("bearer"), has("user"), hasAuthorization].count(where: \.self) > 1 {
            report(
                "more than one kind of credentials",
                hint: "one of bearer, user with password, and the header Authorization",
                about: has("bearer") ? "bearer" : "user"
            )
        }
        if bearer != nil, let text = string(at: "bearer") { fields.append(("Authorization", "Bearer ", text)) }
        var basic: String?
        if user != nil, password != nil, let name = string(at: "user"), let word = string(at: "password") {
            basic = "\(name):\(word)"
        }
        let texts = fields.map { "\($0.name): \($0.prefix)\($0.text)" } + [basic].compactMap(\.self)
        var substitution = substitution
        substitution.mayHaveSecrets = true
        let read: @Sendable () throws(DiscoveryProblem) -> [HTTPOptions.Header] = {
            [fields, basic, substitution] () throws(DiscoveryProblem) in
            do throws(Substitution.Failure) {
                var headers: [HTTPOptions.Header] = []
                for field in fields {
                    let value = field.prefix + (try substitution(field.text))
                    headers.append(HTTPOptions.Header(name: field.name, value: value))
                }
                if let basic {
                    let value = "Basic \(Array(try substitution(basic).utf8).base64)"
                    headers.append(HTTPOptions.Header(name: "Authorization", value: value))
                }
                return headers
            } catch {
                throw DiscoveryProblem("credentials: \(error.message.onOneLine)")
            }
        }
        return (texts, read)
    }

    /// The text of a header field as it is written.
    private func headerText(_ name: String) -> String? {
        guard case .table(let table)? = rawValue("headers"), case .string(let text)? = table[name] else { return nil }
        return text
    }

    // MARK: Labels

    /// Reads a text with labels of targets.
    mutating func labelTemplate(_ key: String) -> LabelTemplate? {
        substitution.hasLabels = true
        defer { substitution.hasLabels = false }
        return text(key).flatMap { labelTemplate($0, of: key) }
    }

    /// Reads tags with labels of targets.
    mutating func tagTemplates(_ key: String) -> [LabelTemplate] {
        substitution.hasLabels = true
        defer { substitution.hasLabels = false }
        let elements = texts(key, example: "such as [\"prod\", \"${label:env}\"]") ?? []
        return elements.compactMap { element in
            guard let template = labelTemplate(element.text, of: key) else { return nil }
            guard template.hasLabels || element.text.isTag else {
                let hint = "1 to 64 letters, digits and - _ . : /"
                report("invalid tag \(element.text.quoted)", hint: hint, about: key, at: element)
                return nil
            }
            return template
        }
    }

    private func labelTemplate(_ text: String, of key: String) -> LabelTemplate? {
        do throws(LabelTemplate.Failure) {
            return try LabelTemplate(text)
        } catch {
            report(error.message, hint: error.hint, about: key)
            return nil
        }
    }
}

extension String {
    /// Whether the name is that of a file in JSON or YAML.
    var isListFile: Bool {
        let name = lowercased()
        return [".json", ".yml", ".yaml"].contains { name.hasSuffix($0) }
    }

    /// Whether the text is a numeric address with a port or without.
    fileprivate var isResolver: Bool {
        if Family(ofAddress: self) != nil { return true }
        guard let colon = lastIndex(of: ":"), let port = UInt16(self[colon...].dropFirst()), port > 0 else {
            return hasPrefix("[") && hasSuffix("]") && Family(ofAddress: String(dropFirst().dropLast())) != nil
        }
        let host = self[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return Family(ofAddress: isBracketed ? String(host.dropFirst().dropLast()) : String(host)) != nil
    }
}
