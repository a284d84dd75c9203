import Monitoring
import ReachKit

/// Calls a test with a transport, which is shut down afterwards.
func withTransport<Value: Sendable, Failure: Error>(
    proxies environment: [String: String] = [:],
    _ body: (HTTPTransport) async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let transport = HTTPTransport(now: { 1_795_219_200 }, proxies: Proxies(environment: environment))
    let value: Value
    do throws(Failure) {
        value = try await body(transport)
    } catch {
        await transport.shutdown()
        throw error
    }
    await transport.shutdown()
    return value
}
