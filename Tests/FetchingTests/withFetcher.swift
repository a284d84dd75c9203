import Fetching

/// Hands a test a fetcher, and closes it afterwards.
func withFetcher<Result: Sendable>(_ body: (Fetcher) async -> Result) async -> Result {
    let fetcher = Fetcher(now: { 1_795_219_200 })
    let result = await body(fetcher)
    await fetcher.shutdown()
    return result
}
