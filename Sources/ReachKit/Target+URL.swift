public import Monitoring

extension Target {
    /// A target from a URL or its short form: `icmp://192.0.2.1`, `https://example.com/health`, `nas.local:445`.
    ///
    /// - Parameters:
    ///   - url: the URL, in the syntax of the dashboard.
    ///   - name: the name; the URL by default.
    ///   - interval: the time from one probe to the next; the default of the method by default.
    /// - Throws: ``URLProblem``, one line with what to write instead.
    public init(_ url: String, name: String? = nil, interval: Duration? = nil) throws(URLProblem) {
        let question = try Question(url)
        self.init(name: name ?? question.url.withNames(typedIn: url), question: question, interval: interval)
    }
}
