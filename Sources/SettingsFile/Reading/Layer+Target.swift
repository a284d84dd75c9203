import Monitoring

extension Layer {
    /// A target that asks this question as the layer says; what it does not say is the method's default.
    func target(name: String, question: Question, group: String?, hooks: [HookRule]) -> Target {
        let method = question.method
        let interval = interval?.duration ?? method.defaultInterval
        // A default never breaks the rule for what is written: ten intervals of 50ms are shorter than icmp's second.
        let timeout =
            timeout?.duration
            ?? min(method.defaultTimeout(interval: interval), Self.longestTimeout(of: method, interval: interval))
        return Target(
            name: name,
            question: asking(question),
            group: group,
            interval: interval,
            timeout: timeout,
            retryInterval: retryInterval,
            spread: spread ?? 0.05,
            thresholds: Thresholds(
                rise: rise ?? 1,
                fall: fall ?? method.defaultFall,
                slow: slow,
                lossy: lossy
            ),
            hooks: hooks
        )
    }

    /// The longest that a probe may take.
    static func longestTimeout(of method: Method, interval: Duration) -> Duration {
        interval * method.longestTimeoutInIntervals
    }

    /// The question with this layer's options of its method.
    private func asking(_ question: Question) -> Question {
        switch question {
        case .icmp(let host, var options):
            if let size { options.size = size }
            if let ttl { options.ttl = ttl }
            if let dscp { options.dscp = dscp }
            return .icmp(host: host, options)
        case .tcp(let host, let port, var options):
            if let send { options.send = send }
            if let expect { options.expect = expect }
            return .tcp(host: host, port: port, options)
        case .session, .tls, .http, .dns, .udp, .link, .route, .exec:
            return question
        }
    }
}
