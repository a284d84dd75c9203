import Monitoring

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
