import ReachBasics
import ReachMonitoring

extension TableReader {
    /// Reads an array of hook tables.
    ///
    /// - Parameter header: The header of such a table, for the hint.
    mutating func hooks(_ key: String, header: String) -> [HookRule] {
        if has(key) { log.hasCommands = true }
        let title = title
        return tables(key, header: header) { "\(title)hook \($0): " }.compactMap { table in
            var table = table
            return table.hookRule()
        }
    }

    /// Reads `when_reachable = "command"`, which is short for a hook on `up` that also runs while the target flaps.
    mutating func hookWhenReachable() -> HookRule? {
        if has("when_reachable") { log.hasCommands = true }
        return command("when_reachable").map { HookRule(on: [.up], run: .command($0), runsWhileFlapping: true) }
    }

    private mutating func hookRule() -> HookRule? {
        let events = events("on")
        let action = hookAction()
        var rule = HookRule(on: events ?? [], run: action ?? .shell(""))
        if let isOnce = flag("once") { rule.isOnce = isOnce }
        if let firesAtStart = flag("at_start") { rule.firesAtStart = firesAtStart }
        let longest = Duration.seconds(365 * 86_400)
        if let cooldown = duration("cooldown", in: .zero...longest) { rule.cooldown = cooldown }
        if let timeout = duration("timeout", in: .milliseconds(1)...longest) { rule.timeout = timeout }
        if let within = duration("within", in: .milliseconds(1)...longest) { rule.within = within }
        if let minDown = duration("min_down", in: .zero...longest) { rule.minDown = minDown }
        if let retries = integer("retries", in: 0...HookRule.maxRetries) { rule.retries = retries }
        if let allowsCellular = flag("allow_cellular") { rule.allowsCellular = allowsCellular }
        if let skipsAcknowledged = flag("unless_acknowledged") { rule.skipsAcknowledged = skipsAcknowledged }
        if let skipsExplained = flag("unless_explained") { rule.skipsExplained = skipsExplained }
        if let runsWhileFlapping = flag("while_flapping") { rule.runsWhileFlapping = runsWhileFlapping }
        reportUnknownKeys()
        if !has("on") { reportMissing("on", hint: "such as on = \"down\"") }
        if let events { checkRecovery(rule, on: events) }
        return events == nil || action == nil ? nil : rule
    }

    /// Reads the action of a hook: a command or a request.
    private mutating func hookAction() -> HookAction? {
        let command = command("run")
        let webhook = webhook("request")
        schema?.requireOne(of: ["run", "request"])
        if has("run"), has("request") {
            report(
                "cannot be combined with \"run\"",
                hint: "make two hooks of it",
                about: "request"
            )
            return nil
        }
        if !has("run"), !has("request") {
            report(
                "\"run\" is missing",
                hint: "such as run = \"echo $REACH_TARGET\", or request = { url = \"https://example.net/hook\" }"
            )
        }
        return command.map(HookAction.command) ?? webhook.map(HookAction.request)
    }

    /// Reports `within` and `min_down` on a rule that no recovery fires, or that exclude all recoveries.
    private func checkRecovery(_ rule: HookRule, on events: Set<HookEvent>) {
        if events.isDisjoint(with: [.up, .change]) {
            for key in ["within", "min_down"] where has(key) {
                report(
                    "applies to recoveries only, and this hook has none",
                    hint: "remove it, or add \"up\" to on",
                    about: key
                )
            }
        } else if let within = rule.within, rule.minDown > within {
            report("longer than within: the hook would never run", hint: "swap the two", about: "min_down")
        }
        if rule.skipsExplained, events.isDisjoint(with: HookEvent.ofHealth) {
            report(
                "applies to changes of health only, and this hook has none",
                hint: "remove it, or add \"down\" to on",
                about: "unless_explained"
            )
        }
    }

    /// Reports a missing key at the position of the table.
    func reportMissing(_ key: String, hint: String) {
        schema?.require(key)
        report("\"\(key)\" is missing", hint: hint)
    }

    private mutating func events(_ key: String) -> Set<HookEvent>? {
        let event = TableSchema.ValueType.choice(HookEvent.settable.map(\.rawValue))
        describe(key, as: .either([event, .array(event, isEmptyAllowed: false)]))
        let hint = "one or more of \(Self.events)"
        guard let elements = texts(key, example: hint) else { return nil }
        guard !elements.isEmpty else {
            report("no events", hint: hint, about: key)
            return nil
        }
        let events = elements.compactMap { self.event(named: $0.text, for: key) }
        return events.count == elements.count ? Set(events) : nil
    }

    private func event(named word: String, for key: String) -> HookEvent? {
        if let event = HookEvent.settable.first(where: { $0.rawValue == word }) { return event }
        let hint = word.suggestion(among: HookEvent.settable.map(\.rawValue)) ?? "one or more of \(Self.events)"
        report("unknown event \(word.quoted)", hint: hint, about: key)
        return nil
    }

    private static let events = HookEvent.settable.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
}

extension TableReader {
    /// Reads the request of a hook. Environment variables are substituted here, and the fields of a run when it is
    /// sent.
    mutating func webhook(_ key: String) -> Webhook? {
        let example = "{ url = \"https://example.net/hook\" }"
        guard has(key) || isDescribing else {
            _ = value(key)
            return nil
        }
        var webhook: Webhook?
        options(key, example: example) { request in
            request.substitution.fields = Webhook.fields
            let url = request.webhookURL("url")
            let method = request.httpMethod("method")
            let headers = request.headers("headers") { Webhook.problem(withText: $0).map { ($0.message, $0.hint) } }
            let body = request.fields("body")
            if !request.has("url") { request.reportMissing("url", hint: "such as \(example)") }
            guard let url else { return }
            webhook = Webhook(url: url, headers: headers, body: body)
            if let method { webhook?.method = method }
            if let text = request.string(at: "url"), request.substitution.hasSecret(text) {
                webhook?.shownURL = request.template("url")
            }
        }
        return webhook
    }

    private mutating func webhookURL(_ key: String) -> String? {
        guard let url = sentText(key) else { return nil }
        guard let problem = Webhook.problem(withURL: url) else { return url }
        // The hint is for the URL of a target; the options of a request have another name.
        report(problem.message, hint: problem.hint?.replacing("http = {", with: "request = {"), about: key)
        return nil
    }

    private mutating func fields(_ key: String) -> String? {
        guard let text = sentText(key) else { return nil }
        guard let problem = Webhook.problem(withText: text) else { return text }
        report(problem.message, hint: problem.hint, about: key)
        return nil
    }
}

extension TableReader {
    /// Reads a command. Variables are left for the shell, which also has those of the transition.
    mutating func command(_ key: String) -> HookCommand? {
        let example = "a line for the shell, or [\"program\", \"argument\"]"
        describe(key, as: .either([.name, .array(.string, isEmptyAllowed: false)]))
        guard let words = texts(key, example: example, hasVariables: false)?.map(\.text) else { return nil }
        guard let program = words.first, !program.isBlank else {
            report("the command is empty", hint: example, about: key)
            return nil
        }
        return array(at: key) == nil ? .shell(program) : .program(program, arguments: Array(words.dropFirst()))
    }
}
