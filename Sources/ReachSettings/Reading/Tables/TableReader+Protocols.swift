import ReachMonitoring

extension TableReader {
    /// Reads the URL of a target.
    mutating func question(_ key: String) -> Question? {
        describe(key, as: .text(matching: #"^(?!exec:.)(?!link:/)\S+$"#))
        guard has(key) else {
            _ = value(key)
            reportMissing(key, hint: "such as url = \"icmp://192.0.2.1\" or url = \"tcp://nas.local:445\"")
            return nil
        }
        guard let url = text(key) else { return nil }
        do {
            return try Question(url)
        } catch {
            // A list or a range is more than one target.
            if let pattern = try? URLPattern(url), pattern.urls.count > 1 {
                let hint = "urls = [\(url.withoutSecretsOfInvalidURL.quoted)]"
                report("several targets in one URL", hint: hint, about: key)
                return nil
            }
            report(error.message, hint: error.hint, about: key)
            return nil
        }
    }

    /// Reads a list of URLs, with ranges and networks.
    mutating func questions(_ key: String) -> [(question: Question, url: String, element: Element)] {
        let example = "such as [\"icmp://10.0.0.{1..50}\", \"10.1.0.0/28\"]"
        guard let elements = texts(key, example: example) else { return [] }
        if elements.isEmpty { report("no URL", hint: example, about: key) }
        var questions: [(Question, String, Element)] = []
        var count = 0
        for element in elements {
            do throws(URLPattern.Failure) {
                let urls = try URLPattern(element.text).urls
                count += urls.count
                if NetworkPattern.isPath(element.text) {
                    warn("one host with a path, not a network", hint: "such as {1..14} for its hosts", key, element)
                }
                for url in urls where count <= URLPattern.limit {
                    guard let question = self.question(url, of: key, at: element) else { break }
                    questions.append((question, url, element))
                }
            } catch {
                report(error.message, hint: error.hint, about: key, at: element)
            }
        }
        if count > URLPattern.limit {
            let failure = URLPattern.tooMany(UInt128(count))
            report(failure.message, hint: failure.hint, about: key)
        }
        return questions
    }

    private func warn(_ message: String, hint: String, _ key: String, _ element: Element) {
        log.warn(message, hint: hint, about: title + key, at: log.entryLocation(of: element.path)?.value)
    }

    private func question(_ url: String, of key: String, at element: Element) -> Question? {
        do throws(URLProblem) {
            let question = try Question(url)
            guard question.title == nil else { return question }
            report(
                "a list cannot have commands",
                hint: "a [[target]] with url = \"exec:\" for each",
                about: key,
                at: element
            )
        } catch {
            let shown = url.withoutSecretsOfInvalidURL.quoted
            let message = url == element.text ? error.message : "\(shown): \(error.message)"
            report(message, hint: error.hint, about: key, at: element)
        }
        return nil
    }

    /// Reads a user or a password of a database. Messages never contain it. A password is never shown.
    mutating func credential(_ key: String) -> String? {
        guard let text = key == "password" ? sentText(key) : text(key) else { return nil }
        guard !text.isEmpty, !text.utf8.contains(0) else {
            report(text.isEmpty ? "empty" : "NUL character in it", hint: "remove \(key), or set a text", about: key)
            return nil
        }
        return text
    }

    /// Reports an expected answer that is never checked, because replies with this response code have none.
    func reportAnswer(under code: DNSQuestion.ResponseCode) {
        report(
            "cannot be combined with rcode \(code.name), which has no answer",
            hint: "remove one of the two",
            about: "answer"
        )
    }

    /// Reads the name of a DNS response code, ignoring case.
    mutating func responseCode(_ key: String) -> DNSQuestion.ResponseCode? {
        guard let text = text(key) else { return nil }
        let codes = DNSQuestion.ResponseCode.allCases
        if let code = codes.first(where: { $0.name == text.uppercased() }) { return code }
        reportUnknown(key, text, of: codes.map(\.name))
        return nil
    }
}

extension TableReader {
    /// Reads the bytes to send to a peer: text in which `\xHH` is a byte and `\\` a backslash.
    ///
    /// Variables are substituted, and escapes in their values are not interpreted.
    ///
    /// - Parameter limit: The largest number of bytes.
    mutating func payload(_ key: String, limit: Int = .max) -> Payload? {
        guard let text = string(key) else { return nil }
        substitution.mayHaveSecrets = true
        defer { substitution.mayHaveSecrets = false }
        var bytes: [UInt8] = []
        var rest = text[...]
        while true {
            let plain = rest.prefix { $0 != "\\" }
            guard let replaced = substituted(String(plain), for: key) else { return nil }
            bytes += replaced.utf8
            rest = rest[plain.endIndex...]
            guard !rest.isEmpty else { break }
            guard let (byte, length) = Self.escape(rest) else {
                let sample = String(rest.prefix(2)).quoted
                report("unknown escape \(sample)", hint: #"'\x00' is a byte, '\\' a backslash"#, about: key)
                return nil
            }
            bytes.append(byte)
            rest = rest.dropFirst(length)
        }
        guard bytes.count <= limit else {
            report("\(bytes.count) bytes are more than a datagram holds", hint: "at most \(limit)", about: key)
            return nil
        }
        return Payload(bytes: bytes)
    }

    /// Returns the byte of an escape at the beginning of a text, and the length of the escape in characters.
    private static func escape(_ text: Substring) -> (byte: UInt8, length: Int)? {
        if text.hasPrefix(#"\\"#) { return (UInt8(ascii: "\\"), 2) }
        guard text.hasPrefix(#"\x"#) else { return nil }
        let digits = text.dropFirst(2).prefix(2)
        guard digits.count == 2, digits.allSatisfy(\.isHexDigit), let byte = UInt8(digits, radix: 16) else {
            return nil
        }
        return (byte, 4)
    }
}
