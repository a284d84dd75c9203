import Monitoring

/// A block of an ssh_config(5) file: the options that follow a `Host` line.
private struct HostBlock {
    let patterns: [String]
    let line: Int
    /// The values by keyword in lower case; the first of each counts.
    var options: [String: String] = [:]

    /// Whether the block applies to a name: a pattern matches, and no negated one does.
    func applies(to name: String) -> Bool {
        let matching = patterns.filter { pattern in
            Self.matches(Array(pattern.drop { $0 == "!" }.unicodeScalars)[...], Array(name.unicodeScalars)[...])
        }
        return !matching.isEmpty && !matching.contains { $0.hasPrefix("!") }
    }

    /// Whether a pattern with `*` and `?` matches a whole name (ssh_config(5), PATTERNS).
    private static func matches(_ pattern: ArraySlice<Unicode.Scalar>, _ name: ArraySlice<Unicode.Scalar>) -> Bool {
        var (pattern, name) = (pattern, name)
        // Where the last `*` can match one more character.
        var retry: (pattern: ArraySlice<Unicode.Scalar>, name: ArraySlice<Unicode.Scalar>)?
        while !name.isEmpty || !pattern.isEmpty {
            if pattern.first == "*" {
                pattern = pattern.dropFirst()
                retry = (pattern, name)
            } else if let first = name.first, pattern.first == first || pattern.first == "?" {
                (pattern, name) = (pattern.dropFirst(), name.dropFirst())
            } else if let last = retry, !last.name.isEmpty {
                (pattern, name) = (last.pattern, last.name.dropFirst())
                retry = (pattern, name)
            } else {
                return false
            }
        }
        return true
    }
}

extension ImportDraft {
    /// Adds the hosts of an ssh_config(5) file.
    mutating func addSecureShellHosts(_ text: String) {
        // Options before the first block apply to all hosts.
        var blocks = [HostBlock(patterns: ["*"], line: 0)]
        for (number, line) in text.importLines {
            let words = Self.words(of: line)
            guard let keyword = words.first?.lowercased() else { continue }
            switch keyword {
            case "host":
                blocks.append(HostBlock(patterns: Array(words.dropFirst()), line: number))
            case "match":
                note(number, about: line.trimmed, "depends on more than the name of the host")
                // Its options are those of no host.
                blocks.append(HostBlock(patterns: [], line: number))
            case "include":
                note(number, about: line.trimmed, "other files are not read", hint: "import each with --from")
            default:
                guard Self.secureShellKeywords.contains(keyword) else {
                    note(number, about: line.trimmed, "unknown keyword of ssh")
                    continue
                }
                let value = words.dropFirst().joined(separator: " ")
                if blocks[blocks.count - 1].options[keyword] == nil {
                    blocks[blocks.count - 1].options[keyword] = value
                }
            }
        }
        for block in blocks.dropFirst() {
            for name in block.patterns {
                guard !name.contains(where: { "*?!".contains($0) }) else {
                    if name != "*" { note(block.line, about: name, "a pattern, not a host") }
                    continue
                }
                addHost(name, block.line, of: blocks)
            }
        }
    }

    /// The keywords of ssh_config(5), in lower case.
    static let secureShellKeywords = Set(
        """
        addkeystoagent addressfamily batchmode bindaddress bindinterface canonicaldomains canonicalizefallbacklocal \
        canonicalizehostname canonicalizemaxdots canonicalizepermittedcnames casignaturealgorithms certificatefile \
        challengeresponseauthentication channeltimeout checkhostip ciphers clearallforwardings compression \
        connectionattempts connecttimeout controlmaster controlpath controlpersist dynamicforward \
        enableescapecommandline enablesshkeysign escapechar exitonforwardfailure fingerprinthash forkafterauthentication \
        forwardagent forwardx11 forwardx11timeout forwardx11trusted gatewayports globalknownhostsfile \
        gssapiauthentication gssapidelegatecredentials hashknownhosts host hostbasedacceptedalgorithms \
        hostbasedauthentication hostbasedkeytypes hostkeyalgorithms hostkeyalias hostname identitiesonly identityagent \
        identityfile ignoreunknown include ipqos kbdinteractiveauthentication kbdinteractivedevices kexalgorithms \
        knownhostscommand localcommand localforward loglevel logverbose macs match nohostauthenticationforlocalhost \
        numberofpasswordprompts obscurekeystroketiming passwordauthentication permitlocalcommand permitremoteopen \
        pkcs11provider port preferredauthentications protocol proxycommand proxyjump proxyusefdpass \
        pubkeyacceptedalgorithms pubkeyacceptedkeytypes pubkeyauthentication refuseconnection rekeylimit remotecommand \
        remoteforward requesttty requiredrsasize revokedhostkeys securitykeyprovider sendenv serveralivecountmax \
        serveraliveinterval sessiontype setenv stdinnull streamlocalbindmask streamlocalbindunlink \
        stricthostkeychecking syslogfacility tag tcpkeepalive tunnel tunneldevice updatehostkeys usekeychain user \
        userknownhostsfile verifyhostkeydns versionaddendum visualhostkey xauthlocation
        """.split(separator: " ").map(String.init)
    )

    private mutating func addHost(_ name: String, _ line: Int, of blocks: [HostBlock]) {
        let applying = blocks.filter { $0.applies(to: name) }
        let option = { (key: String) in applying.lazy.compactMap { $0.options[key] }.first }
        for key in ["proxyjump", "proxycommand"] {
            if let value = option(key), value.lowercased() != "none" {
                return note(line, about: name, "only reachable through \(value.quoted)", hint: "probe that host")
            }
        }
        let host = (option("hostname") ?? name).replacing("%h", with: name)
        guard !host.contains("%") || Family(ofAddress: host) != nil else {
            return note(line, about: name, "HostName \(host.quoted) has a token", hint: "write the name of the host")
        }
        let port = option("port") ?? "22"
        var options = TOMLPairs()
        var expectation = TOMLPairs()
        expectation.add("expect", "^SSH-")
        switch option("addressfamily")?.lowercased() {
        case "inet" where Family(ofAddress: host) == nil: options.add("family", "4")
        case "inet6" where Family(ofAddress: host) == nil: options.add("family", "6")
        default: break
        }
        options.add("tcp", expectation)
        let isAddress = host.contains(":")
        add(url: "tcp://\(isAddress ? "[\(host)]" : host):\(port)", name: name, line: line, options: options)
    }

    /// Splits a line into a keyword and its values: `Port 22`, `Port=22`, `Host "a b"`. Empty for a comment.
    private static func words(of line: Substring) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in line.trimmed {
            if character == "#", words.isEmpty, word.isEmpty { return [] }
            if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character.isWhitespace || (character == "=" && words.isEmpty) {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        // Port = 22
        if words.count > 1, words[1].hasPrefix("=") {
            words[1].removeFirst()
            if words[1].isEmpty { words.remove(at: 1) }
        }
        return words
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
