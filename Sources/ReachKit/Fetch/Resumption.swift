#if Fetch
import HTTPTypes
import Monitoring

/// How the next try continues a body that was cut off: with the rest, if the server confirms that it belongs to the
/// first part (RFC 9110 §13.1.5, §14.2 and §15.3.7).
struct Resumption: Sendable, Hashable {
    /// The number of bytes that were received.
    let offset: Int64
    /// The URL that the first part is from, after redirects. The rest is requested from no other URL.
    let url: String
    /// The validator of the first response, a strong one: an entity tag, or the date of the last change.
    private let validator: String
    /// The length of the whole body; nil if it is unknown.
    private let length: Int64?

    /// Continues the body of a response; nil if it has to begin anew.
    ///
    /// - Parameters:
    ///   - response: the response whose body ended early: the first one, or one that continued it.
    ///   - url: the URL of the response, after redirects.
    ///   - previous: the resumption of its request.
    init?(
        of response: Fetch.Response,
        from url: String,
        at offset: Int64,
        after previous: Resumption?,
        at now: Int64
    ) {
        guard offset > 0 else { return nil }
        self.offset = offset
        if response.status == 206, let previous {
            (self.url, validator) = (previous.url, previous.validator)
            length = previous.length ?? previous.total(in: response.headers)
            return
        }
        guard response.status == 200, let validator = response.headers.strongValidator(at: now) else { return nil }
        (self.url, self.validator) = (url, validator)
        length = response.headers[.contentLength].flatMap { Int64($0) }
    }

    /// The header fields of the request.
    var fields: [(name: String, value: String)] { [("Range", "bytes=\(offset)-"), ("If-Range", validator)] }

    /// Returns the number of bytes of the rest, if the content of a response with the status 206 is all of the rest;
    /// nil for any other part, or without the validator that was sent.
    func restLength(in fields: HTTPFields) -> Int64? {
        guard let total = total(in: fields), isConfirmed(by: fields) else { return nil }
        let count = total - offset
        return fields[values: .contentLength].allSatisfy { Int64($0) == count } ? count : nil
    }

    /// Whether a response repeats the validator. With a date, it has no entity tag either, as the first response.
    private func isConfirmed(by fields: HTTPFields) -> Bool {
        let tags = fields[values: .eTag]
        if validator.hasPrefix("\"") { return tags == [validator] }
        return tags.isEmpty && fields[values: .lastModified] == [validator]
    }

    /// The length of the whole body according to a response whose content is the rest: `bytes 100-199/200`.
    private func total(in fields: HTTPFields) -> Int64? {
        guard let text = fields[.contentRange], let match = text.wholeMatch(of: /bytes +(\d+)-(\d+)\/(\d+)/),
            Int64(match.1) == offset, let last = Int64(match.2), let total = Int64(match.3),
            last >= offset, last == total - 1, length == nil || length == total
        else { return nil }
        return total
    }
}

extension HTTPFields {
    /// The entity tag, or the date of the last change where the clock shows that nothing changed in the same second
    /// (RFC 9110 §8.8.2.2); nil if both are weak, missing or there are several.
    fileprivate func strongValidator(at now: Int64) -> String? {
        let tags = self[values: .eTag]
        if let tag = tags.first { return tags.count == 1 && tag.wholeMatch(of: /"[^"]*"/) != nil ? tag : nil }
        let changes = self[values: .lastModified]
        guard changes.count == 1, let text = changes.first, let date = self[.date],
            let change = HTTPDate(text, now: now), let sent = HTTPDate(date, now: now),
            sent.seconds - change.seconds >= 60
        else { return nil }
        return text
    }
}
#endif
