#if Fetch
import Monitoring

extension Duration {
    /// The delay of a `Retry-After` field (RFC 9110 §10.2.3): a number of seconds, or a date.
    ///
    /// - Parameters:
    ///   - retryAfter: the field's value.
    ///   - date: the value of the response's `Date` field, the server's own clock.
    ///   - now: the local time in seconds since 1970, for a response without a date.
    /// - Returns: Nil for a malformed value; zero for a date that has passed.
    init?(retryAfter: String, date: String?, now: Int64) {
        if !retryAfter.isEmpty, retryAfter.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More than twelve digits are more than a century in any case.
            self = .seconds(Int64(retryAfter.prefix(12)) ?? 0)
        } else if let end = HTTPDate(retryAfter, now: now) {
            let start = date.flatMap { HTTPDate($0, now: now)?.seconds } ?? now
            self = .seconds(max(0, end.seconds - start))
        } else {
            return nil
        }
    }
}
#endif
