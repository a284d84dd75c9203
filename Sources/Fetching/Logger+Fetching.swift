import Logging

extension Logger {
    /// A URL's query may hold a secret, and is left out.
    func tried(_ request: FetchRequest, _ outcome: FetchOutcome) {
        debug("\(request.method) \(request.url.prefix { $0 != "?" }): \(outcome.summary)")
    }
}
