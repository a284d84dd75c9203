import ReachBasics

/// Removes secrets from output that others may read: metrics, `/targets`, logs and the lines of `watch`.
///
/// URLs lose their query strings and user info. A value that the settings took from the environment is replaced by its
/// variable, `${NAME}`. Names and URLs are replaced exactly; in other texts, the redaction searches for values of at
/// least ``shortestValue`` bytes. Before an ellipsis, where a text was cut, the beginning of a value is enough.
public struct Redaction: Sendable, Hashable {
    /// The shortest value that is searched for in texts. Shorter ones would match everywhere, and are no secrets.
    public static let shortestValue = 4

    /// A redaction that changes nothing, for the user's own terminal.
    public static let none = Redaction(isActive: false)

    private let isActive: Bool
    /// The values to search for by their first bytes, the longest first.
    private var replacements: [UInt32: [Replacement]] = [:]
    /// The public names of targets, by the settings' names.
    private var names: [String: String] = [:]
    /// The public labels of targets, by their labels.
    private var labels: [String: String] = [:]
    /// The public URLs of targets, by the settings' names.
    private var urls: [String: String] = [:]
    /// The public names of groups.
    private var groups: [String: String] = [:]

    private struct Replacement: Sendable, Hashable {
        let bytes: [UInt8]
        let text: String
        /// Whether the value is hidden on the user's own screen too.
        let isSecret: Bool
    }

    private init(isActive: Bool) {
        self.isActive = isActive
    }

    /// Creates a redaction without values: it only cuts query strings and user info.
    public init() {
        self.init(isActive: true)
    }

    // MARK: Values from the settings

    /// Registers a value that `${variable}` stands for. The parts of a URL are registered too, since they also occur
    /// alone: the host of `${URL}` is in details.
    public mutating func register(value: String, of variable: String) {
        let isSecret = variable.hasPrefix("file:") || variable.hasPrefix("credential:")
        let isMethod = { (part: String) in Method(rawValue: part) != nil }
        let parts = value.split { "/?&=@#:".contains($0) }.map(String.init).filter { !isMethod($0) }
        for part in [value] + parts { add(part, "${\(variable)}", isSecret: isSecret) }
    }

    private mutating func add(_ value: String, _ text: String, isSecret: Bool) {
        // A peer may return the percent-encoded value.
        for form in Set([value, value.percentEncoded] + value.excerptForms) {
            add(Replacement(bytes: Array(form.utf8), text: text, isSecret: isSecret))
        }
    }

    private mutating func add(_ new: Replacement) {
        guard new.bytes.count >= Self.shortestValue else { return }
        let key = Self.key(of: new.bytes[...])
        var same = replacements.removeValue(forKey: key) ?? []
        let index = same.firstIndex { $0.bytes.count <= new.bytes.count } ?? same.endIndex
        let isKnown = same[index...].prefix { $0.bytes.count == new.bytes.count }.contains { $0.bytes == new.bytes }
        if !isKnown { same.insert(new, at: index) }
        replacements[key] = same
    }

    /// The first bytes as a number.
    private static func key(of bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(shortestValue).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Registers the public name of a target.
    public mutating func register(name: String, as template: String) {
        names[name] = template
    }

    /// Registers the public URL of the target with a name.
    public mutating func register(urlOf name: String, as template: String) {
        urls[name] = template
    }

    /// Registers the public name of a group.
    public mutating func register(group: String, as template: String) {
        groups[group] = template
    }

    /// Gives each target a unique public name. A name made from a URL loses its query; if several targets then have the
    /// same public name, they are numbered.
    public mutating func cover(_ targets: [Target]) {
        guard isActive else { return }
        for target in targets { register(secretsOf: target.question) }
        // Many targets have the same.
        for webhook in Set(targets.flatMap { $0.hooks.compactMap(\.webhook) }) { register(secretsOf: webhook) }
        let publicNames = targets.map { target in
            names[target.name] ?? (target.isNamedByURL ? target.name.withoutQuery : target.name)
        }
        labels = [:]
        guard zip(targets, publicNames).contains(where: { $0.name != $1 }) else { return }
        // A target probed over both families is two targets with one name, and both keep it.
        var takenBy = Dictionary(
            zip(targets, publicNames).filter { $0.name == $1 }.map { ($1, $0.name) },
            uniquingKeysWith: { first, _ in first }
        )
        for (target, name) in zip(targets, publicNames) where target.name != name {
            var candidate = name
            var number = 1
            while let owner = takenBy[candidate], owner != target.name {
                number += 1
                candidate = "\(name) (\(number))"
            }
            takenBy[candidate] = target.name
            names[target.name] = candidate
            labels[target.label] = label(of: target)
        }
    }

    /// Adds the values of an earlier redaction, so that they stay hidden after a reload.
    public mutating func formUnion(_ earlier: Redaction) {
        for replacement in earlier.replacements.values.joined() { add(replacement) }
        names.merge(earlier.names) { mine, _ in mine }
        labels.merge(earlier.labels) { mine, _ in mine }
        urls.merge(earlier.urls) { mine, _ in mine }
        groups.merge(earlier.groups) { mine, _ in mine }
    }

    /// Registers what a request sends and output never contains, since a server may return it: passwords, queries, bodies
    /// and the values of header fields that authenticate.
    package mutating func register(secretsOf question: Question) {
        switch question {
        case .database(let question):
            // One that is the name of the user is no secret.
            if let password = question.password, password != question.user { hide(password, isSecret: true) }
        case .http(let question):
            hide(queryOf: question.path)
            if let body = question.options.bodySent { hide(body) }
            for header in question.options.headers where header.authenticates { hide(header) }
        default: break
        }
    }

    /// Registers the query of a hook's request and its header fields that authenticate.
    private mutating func register(secretsOf webhook: Webhook) {
        hide(queryOf: webhook.url)
        for header in webhook.headers where header.authenticates { hide(header) }
    }

    /// Registers the query of a URL or path, and its parts, without the fields of a hook, `${REACH_TARGET}`.
    private mutating func hide(queryOf url: String) {
        let query = url.drop { $0 != "?" }.dropFirst()
        guard !query.isEmpty else { return }
        hide(String(query))
        for part in query.split(whereSeparator: { "&=".contains($0) }) where !part.contains("${") { hide(part: part) }
    }

    /// Registers the value of a header field, the credentials in it, and the password of basic authentication.
    private mutating func hide(_ header: HTTPOptions.Header) {
        hide(header.value, isSecret: true)
        for part in header.value.split(separator: " ") { hide(part: part, isSecret: true) }
        guard let scheme = header.value.firstIndex(of: " ") else { return }
        let credentials = header.value[scheme...].dropFirst()
        hide(String(credentials), isSecret: true)
        guard header.value[..<scheme].lowercased() == "basic", let bytes = [UInt8](base64: credentials),
            let pair = String(validating: bytes, as: UTF8.self), let colon = pair.firstIndex(of: ":")
        else { return }
        let password = pair[colon...].dropFirst()
        if password != pair[..<colon] { hide(String(password), isSecret: true) }
    }

    /// Registers a secret that is written in the settings. The values of variables in it are registered already.
    private mutating func hide(_ secret: String, isSecret: Bool = false) {
        if replacingValues(in: secret) == secret { add(secret, "(hidden)", isSecret: isSecret) }
    }

    /// Registers a part of a secret, unless it is a short word that is likely to occur elsewhere.
    private mutating func hide(part: Substring, isSecret: Bool = false) {
        if part.utf8.count >= 8 { hide(String(part), isSecret: isSecret) }
    }

    // MARK: Redacted output

    /// The public label of a target.
    public func label(of target: Target) -> String {
        guard let name = names[target.name] else { return target.label }
        return name + target.label.dropFirst(target.name.count)
    }

    /// The public label for a target's label.
    public func label(_ label: String) -> String {
        guard !labels.isEmpty else { return label }
        if let known = labels[label] { return known }
        // The label of an address row ends with the address.
        guard let end = label.lastIndex(of: " "), let known = labels[String(label[..<end])] else { return label }
        return known + label[end...]
    }

    /// The blocker with its public label.
    public func blocker(_ blocker: Blocker) -> Blocker {
        if case .target(let label) = blocker { .target(self.label(label)) } else { blocker }
    }

    /// The event, with a blocker as ``blocker(_:)`` returns it.
    package func event(_ event: RosterEvent) -> RosterEvent {
        guard case .blocked(let blocker) = event.kind else { return event }
        return RosterEvent(.blocked(by: self.blocker(blocker)), of: event.targets, at: event.time)
    }

    /// The public URL of a target.
    public func url(of target: Target) -> String {
        guard isActive else { return target.question.url }
        if let url = urls[target.name] { return url }
        return target.question.method == .dns ? target.question.url : target.question.url.withoutURLSecrets
    }

    /// The public name of a target's group.
    public func group(of target: Target) -> String? {
        target.group.map { groups[$0] ?? $0 }
    }

    /// The redaction for the user's own screen: it replaces the secrets of files and passwords, nothing else.
    public var forScreen: Redaction {
        var screen = Redaction.none
        screen.replacements = replacements.mapValues { $0.filter(\.isSecret) }.filter { !$0.value.isEmpty }
        return screen
    }

    /// Any other text, with values replaced and URLs without query and user info.
    public func text(_ text: String) -> String {
        let text = replacingValues(in: text)
        return isActive ? text.withoutURLSecrets : text
    }

    /// The text with every known value replaced.
    public func replacingValues(in text: String) -> String {
        guard !replacements.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        // Where the excerpt ends in which the position is.
        var cut = bytes.firstEllipsis(from: 0)
        while position < bytes.count {
            if let end = cut, end < position { cut = bytes.firstEllipsis(from: position) }
            if let (found, length) = match(in: bytes[position...], cut: cut) {
                result += found.text.utf8
                position += length
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result == bytes ? text : String(decoding: result, as: UTF8.self)
    }

    /// Returns the value at the beginning of some bytes, with the length that is there: all of it, or the part before a
    /// cut.
    private func match(in bytes: ArraySlice<UInt8>, cut: Int?) -> (Replacement, length: Int)? {
        guard let candidates = replacements[Self.key(of: bytes)] else { return nil }
        if let whole = candidates.first(where: { bytes.starts(with: $0.bytes) }) { return (whole, whole.bytes.count) }
        guard let cut, cut - bytes.startIndex >= Self.shortestValue else { return nil }
        let shown = bytes[..<cut]
        return candidates.first { $0.bytes.starts(with: shown) }.map { ($0, shown.count) }
    }
}

extension [UInt8] {
    /// The index of the first ellipsis from an index on; nil without one.
    fileprivate func firstEllipsis(from start: Int) -> Int? {
        indices[start...].first { self[$0] == 0xE2 && self[$0...].starts(with: "…".utf8) }
    }
}

extension HTTPOptions.Header {
    /// Whether the field proves who sends the request.
    fileprivate var authenticates: Bool {
        let name = name.lowercased()
        return ["auth", "cookie", "token", "key", "secret", "password"].contains { name.contains($0) }
    }
}

extension Target {
    /// Whether the target's name is its URL, with a query.
    fileprivate var isNamedByURL: Bool {
        guard name.utf8.contains(UInt8(ascii: "?")), case .http = question else { return false }
        return name == question.title || name == question.url
    }
}

extension HookRule {
    /// The request of the rule; nil for a command.
    fileprivate var webhook: Webhook? {
        if case .request(let webhook) = action { webhook } else { nil }
    }
}

extension Finding {
    /// The finding with secrets replaced in the texts of peers.
    package func redacted(by redaction: Redaction) -> Finding {
        guard case .observation(let one) = self else { return self }
        let outcome: Outcome
        switch one.outcome {
        case .failure(let failure):
            outcome = .failure(failure.redacted(by: redaction))
        case .reply(var reply):
            guard let detail = reply.detail else { return self }
            reply.detail = redaction.text(detail)
            outcome = .reply(reply)
        case .fault, .timeout:
            return self
        }
        return .observation(
            Observation(
                target: one.target,
                sequence: one.sequence,
                sent: one.sent,
                time: one.time,
                outcome: outcome,
                address: one.address
            )
        )
    }
}

extension HookReport {
    /// The report with secrets replaced in the output of commands and in the responses of servers.
    package func redacted(by redaction: Redaction) -> HookReport {
        guard case .finished(let run, let result) = self else { return self }
        return .finished(run, result.redacted(by: redaction))
    }
}

extension HookResult {
    fileprivate func redacted(by redaction: Redaction) -> HookResult {
        let status: Status =
            switch status {
            case .notStarted(let problem): .notStarted(redaction.text(problem))
            case .unanswered(let failure): .unanswered(failure.redacted(by: redaction))
            case .exited, .signalled, .timedOut, .cancelled, .answered: status
            }
        return HookResult(
            status: status,
            duration: duration,
            output: redaction.text(output),
            droppedBytes: droppedBytes,
            retryAfter: retryAfter
        )
    }
}

extension Unicode.Scalar {
    /// Whether an excerpt, which is on one line, has a blank in place of the character.
    package var isLineOrTab: Bool { self == "\r" || self == "\n" || self == "\t" }
}

extension Unicode.Scalar {
    /// Whether excerpts of the texts of peers contain the character.
    package var isShown: Bool { isPrintable && properties.generalCategory != .privateUse }
}

extension String {
    /// The text as excerpts of the texts of peers contain it: on one line, without controls or without any invisible
    /// characters, and without blanks at the ends. Empty if excerpts do not change it.
    var excerptForms: [String] {
        guard !utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return [] }
        let scalars = unicodeScalars.map { $0.isLineOrTab ? " " : $0 }
        let line = String(String.UnicodeScalarView(scalars))
        let shown = String(String.UnicodeScalarView(scalars.filter(\.isShown)))
        let forms = [line, line.withoutControls, shown]
        return forms + forms.map(\.trimmed)
    }
}
