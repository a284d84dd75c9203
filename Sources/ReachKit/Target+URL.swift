public import Monitoring

extension Target {
    /// What a URL asks, or a short form of one: `icmp://192.0.2.1`, `https://example.com/health`, `nas.local:445`.
    ///
    /// - Parameters:
    ///   - url: what is asked, as the dashboard has it.
    ///   - name: what it is called; by its URL unless given.
    ///   - interval: the time from one probe to the next; the default of its method unless given.
    /// - Throws: ``URLProblem``, one clear line with what to write instead.
    public init(_ url: String, name: String? = nil, interval: Duration? = nil) throws(URLProblem) {
        let question = try Question(url)
        self.init(name: name ?? question.url, question: question, interval: interval)
    }
}
