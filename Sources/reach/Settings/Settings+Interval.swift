import Monitoring

extension Settings {
    /// Sets the interval of all targets.
    mutating func setInterval(_ interval: Duration) {
        for index in targets.indices { targets[index].setInterval(interval) }
    }
}

extension Target {
    /// Sets the interval, and the other times if they have the defaults that follow from it.
    mutating func setInterval(_ new: Duration) {
        let old = Target(name: name, question: question, interval: interval)
        let other = Target(name: name, question: question, interval: new)
        let longest = new * question.method.longestTimeoutInIntervals
        if timeout == old.timeout || timeout > longest { timeout = other.timeout }
        if retryInterval == old.retryInterval || retryInterval > new { retryInterval = other.retryInterval }
        if downInterval == old.downInterval { downInterval = other.downInterval }
        interval = new
    }
}
