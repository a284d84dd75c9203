import Monitoring

/// Reports what is wrong with a target as a whole, where every key by itself may be right.
///
/// What stands in the defaults or in a group waits for the targets that it fits. What stands on a target itself must
/// fit that target.
struct TargetCheck {
    /// The target's table, taken as far as it goes.
    let table: TableReader
    /// Nil where the URL is invalid; the other keys are still checked.
    let question: Question?
    /// How it is probed; nil where the URL does not say.
    let method: Method?
    /// What the target itself says.
    let own: Draft
    /// What it says together with the layers below it.
    let draft: Draft

    /// Reports all that is wrong.
    func report() {
        reportUselessOptions()
        reportCommand()
        reportAnswer()
        if let question { reportFamily(question) }
        if let question { reportAddresses(question) }
        reportSource()
        reportTimeout()
    }

    private func reportUselessOptions() {
        guard let method else { return }
        for key in Method.allOptionTables where table.has(key) && !method.optionTables.contains(key) {
            table.report(
                "\(key) options do not apply to method \(method.rawValue)",
                hint: "remove them",
                about: key
            )
        }
        if method == .https, own.tls.starttls != nil {
            table.report("starttls does not apply to https", hint: "remove starttls, or tls://HOST:PORT", about: "tls")
        }
    }

    private func reportCommand() {
        guard question?.method == .exec, draft.command == nil, !draft.isCommandBroken else { return }
        table.reportMissing("exec", hint: "such as exec = { run = [\"df\", \"/\"] }")
    }

    /// The target's own answer, where a layer below it says that there is none.
    private func reportAnswer() {
        guard method == .dns, own.answer != nil, own.responseCode == nil else { return }
        guard let code = draft.responseCode, code != .noerror else { return }
        table.report(
            "cannot be combined with rcode \(code.name), which has no answer",
            hint: "dns = { answer = \"…\", rcode = \"NOERROR\" }",
            about: "dns"
        )
    }

    private func reportFamily(_ question: Question) {
        guard let wanted = own.family else { return }
        guard let host = question.host else {
            return table.report("does not apply: the target has no host", hint: "remove it", about: "family")
        }
        guard let actual = Family(ofAddress: host), wanted != .any, wanted.rawValue != actual.rawValue else { return }
        table.report(
            "\(host) is an \(actual.title) address",
            hint: "family = \"\(actual.rawValue)\", or a name in the URL",
            about: "family"
        )
    }

    private func reportAddresses(_ question: Question) {
        guard own.addresses == .each, question.host == nil || question.method == .route else { return }
        table.report(
            "a target of method \(question.method.rawValue) is not probed at the addresses of a name",
            hint: "remove it",
            about: "addresses"
        )
    }

    private func reportSource() {
        guard let method else { return }
        guard method.takesSource else {
            guard own.source != nil else { return }
            return table.report(
                "does not apply to method \(method.rawValue)",
                hint: "remove it",
                about: "source"
            )
        }
        guard let source = draft.source, let family = Family(ofAddress: source) else { return }
        guard let question else { return }
        let asked = question.host.flatMap(Family.init(ofAddress:)).map { [$0] } ?? draft.families(for: question)
        guard let other = asked.first(where: { $0 != .any && $0 != family }) else { return }
        table.log.report(
            "\(source) is an \(family.title) address, but the target is probed by \(other.title)",
            hint: "the name of an interface serves both",
            about: table.title + "source",
            at: draft.sourcePath.flatMap { table.log.place(of: $0)?.value }
        )
    }

    /// Reports a timeout that is too long for the interval, at the key that is nearest to the target.
    private func reportTimeout() {
        guard !draft.isTimingBroken, let timeout = draft.timeout else { return }
        guard let interval = draft.interval ?? method?.defaultInterval else { return }
        // Of a method that is not known, the least strict limit.
        let intervals = method?.longestTimeoutInIntervals ?? Method.allCases.map(\.longestTimeoutInIntervals).max() ?? 1
        let longest = interval * intervals
        guard timeout > longest else { return }
        let limit =
            intervals == 1 ? "the interval" : "\(intervals) intervals"
        table.log.report(
            "\(timeout.settingsText) is longer than \(limit) of \(interval.settingsText)",
            hint: "at most \"\(longest.settingsText)\", or a longer interval",
            about: table.title + "timeout",
            at: draft.timingPath.flatMap { table.log.place(of: $0)?.value }
        )
    }
}
