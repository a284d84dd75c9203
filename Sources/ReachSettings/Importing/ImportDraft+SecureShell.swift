import ReachBasics
import ReachMonitoring

/// A block of an ssh_config(5) file: the options that follow a `Host` or `Match` line.
private struct HostBlock {
    /// A condition of a block: a list of patterns for a name.
    struct Condition {
        enum Subject: String {
            /// The name on the command line.
            case originalHost = "originalhost"
            /// The value of `HostName`, or the name on the command line.
            case host
            case user
        }

        let patterns: [String]
        var subject = Subject.originalHost
        var isNegated = false

        /// Whether a pattern matches, and no negated one does.
        func holds(for name: String) -> Bool {
            let matching = patterns.filter { pattern in
                HostBlock.matches(
                    Array(pattern.drop { $0 == "!" }.unicodeScalars)[...],
                    Array(name.unicodeScalars)[...]
                )
            }
            return (!matching.isEmpty && !matching.contains { $0.hasPrefix("!") }) != isNegated
        }
    }

    let line: Int
    /// The names of the hosts of a `Host` line, which may be patterns.
    var names: [String] = []
    var conditions: [Condition]
    /// Whether there are other conditions, such as the exit status of a command.
    var hasOtherConditions = false
    /// The values by keyword in lower case; the first of each counts.
    var options: [String: String] = [:]

    /// Creates the block of a `Host` line.
    init(names: [String], line: Int) {
        (self.names, self.line) = (names, line)
        conditions = [Condition(patterns: names)]
    }

    /// Creates the block of a `Match` line.
    init(criteria words: [String], line: Int) {
        self.line = line
        conditions = []
        var rest = words[...]
        while let word = rest.popFirst() {
            let keyword = word.drop { $0 == "!" }.lowercased()
            guard keyword != "all" else { continue }
            guard let subject = Condition.Subject(rawValue: keyword) else {
                hasOtherConditions = true
                // The other criteria have an argument.
                if keyword != "canonical", keyword != "final" { _ = rest.popFirst() }
                continue
            }
            let list = rest.popFirst() ?? ""
            conditions.append(
                Condition(
                    patterns: list.split(separator: ",").map(String.init),
                    subject: subject,
                    isNegated: word.hasPrefix("!")
                )
            )
        }
    }

    /// Whether the conditions hold for a host; nil if that depends on something unknown. The user is known from an
    /// option only.
    func applies(to name: String, hostName: String, user: String?) -> Bool? {
        var isKnown = !hasOtherConditions
        for condition in conditions {
            let value: String? =
                switch condition.subject {
                case .originalHost: name
                case .host: hostName
                case .user: user
                }
            guard let value else {
                isKnown = false
                continue
            }
            guard condition.holds(for: value) else { return false }
        }
        return isKnown ? true : nil
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
        var blocks = [HostBlock(names: ["*"], line: 0)]
        for (number, line) in text.importLines {
            let words = Self.words(of: line)
            guard let keyword = words.first?.lowercased() else { continue }
            switch keyword {
            case "host":
                blocks.append(HostBlock(names: Array(words.dropFirst()), line: number))
            case "match":
                blocks.append(HostBlock(criteria: Array(words.dropFirst()), line: number))
            case "include":
                note(number, about: line.trimmed, "other files are not read", hint: "import each with --from")
            default:
                let value = words.dropFirst().joined(separator: " ")
                guard Self.secureShellKeywords.contains(keyword) else {
                    // It may be a misspelt ProxyCommand.
                    let isCommand = value.contains(where: \.isWhitespace)
                    note(number, about: isCommand ? "\(words[0]) …" : line.trimmed, "unknown keyword of ssh")
                    continue
                }
                if blocks[blocks.count - 1].options[keyword] == nil {
                    blocks[blocks.count - 1].options[keyword] = value
                }
            }
        }
        for block in blocks.dropFirst() {
            for name in block.names {
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

    /// The regular expression for the version of an SSH server, which may send other lines before it (RFC 4253 §4.2).
    static let secureShellBanner = "(?m)^SSH-"

    /// The keywords that decide what is probed.
    private static let usedKeywords: Set = [
        "hostname", "port", "proxyjump", "proxycommand", "addressfamily", "bindaddress", "bindinterface",
    ]

    private mutating func addHost(_ name: String, _ line: Int, of blocks: [HostBlock]) {
        var options: [String: String] = [:]
        let hostName = { (options: [String: String]) in (options["hostname"] ?? name).replacing("%h", with: name) }
        for block in blocks {
            let applies = block.applies(to: name, hostName: hostName(options), user: options["user"])
            if applies == true {
                options.merge(block.options) { first, _ in first }
            } else if applies == nil,
                block.options.keys.contains(where: { Self.usedKeywords.contains($0) && options[$0] == nil })
            {
                let problem = "depends on more than the name of the host: Match on line \(block.line)"
                return note(line, about: name, problem, hint: "write its target")
            }
        }
        if let jump = options["proxyjump"], jump.lowercased() != "none" {
            return note(line, about: name, "only reachable through \(jump.quoted)", hint: "probe that host")
        }
        if let command = options["proxycommand"], command.lowercased() != "none" {
            let problem = "only reachable through ProxyCommand \(Self.program(of: command))"
            return note(line, about: name, problem, hint: "probe its proxy")
        }
        let host = hostName(options)
        guard !host.contains("%") || Family(ofAddress: host) != nil else {
            return note(line, about: name, "HostName \(host.quoted) has a token", hint: "write the name of the host")
        }
        let port = options["port"] ?? "22"
        var pairs = TOMLPairs()
        var expectation = TOMLPairs()
        expectation.add("expect", Self.secureShellBanner)
        switch options["addressfamily"]?.lowercased() {
        case "inet" where Family(ofAddress: host) == nil: pairs.add("family", "4")
        case "inet6" where Family(ofAddress: host) == nil: pairs.add("family", "6")
        default: break
        }
        // The address takes precedence in ssh.
        if let source = options["bindaddress"] ?? options["bindinterface"] { pairs.add("source", source) }
        pairs.add("tcp", expectation)
        add(url: "tcp://\(host.bracketed):\(port)", name: name, line: line, options: pairs)
    }

    /// Returns the program of a command, with `…` for the rest, which can have a secret.
    private static func program(of command: String) -> String {
        let program = command.prefix { !$0.isWhitespace && !"=;&|<>()$`'\"".contains($0) }
        guard program.endIndex < command.endIndex else { return command }
        return program.isEmpty ? "…" : "\(program) …"
    }

    /// Splits a line into a keyword and its values: `Port 22`, `Port=22`, `Host "a b"`. A word that begins with `#` begins
    /// a comment.
    private static func words(of line: Substring) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in line.trimmed {
            if character == "#", !isQuoted, word.isEmpty { break }
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
