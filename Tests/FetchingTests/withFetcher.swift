import Fetching

/// Hands a test a fetcher, and closes it afterwards.
func withFetcher<Result: Sendable>(
    proxies environment: [String: String] = [:],
    _ body: (Fetcher) async -> Result
) async -> Result {
    let fetcher = Fetcher(now: { 1_795_219_200 }, proxies: Proxies(environment: environment))
    let result = await body(fetcher)
    await fetcher.shutdown()
    return result
}
