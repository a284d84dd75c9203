#if Fetch
import HTTPTypes
import Monitoring

/// How the next try continues a body that was cut off: with the rest, if the server confirms that it belongs to the first
/// part (RFC 9110 §13.1.5 and §14.2).
struct Resumption: Sendable, Hashable {
    /// The number of bytes that were received.
    let offset: Int64
    /// The validator of the first response, a strong one.
    private let validator: String
    /// The length of the whole body; nil if it is unknown.
    private let length: Int64?

    /// Continues the body of a response; nil if it has to begin anew.
    ///
    /// - Parameters:
    ///   - response: the response whose body ended early: the first one, or one that continued it.
    ///   - previous: the resumption of its request.
    init?(of response: Fetch.Response, at offset: Int64, after previous: Resumption?, at now: Int64) {
        guard offset > 0 else { return nil }
        self.offset = offset
        if response.status == 206, let previous {
            (validator, length) = (previous.validator, previous.length)
            return
        }
        guard response.status == 200, let validator = response.headers.strongValidator(at: now) else { return nil }
        self.validator = validator
        length = response.headers[.contentLength].flatMap { Int64($0) }
    }

    /// The header fields of the request.
    var fields: [(name: String, value: String)] { [("Range", "bytes=\(offset)-"), ("If-Range", validator)] }

    /// Whether the content of a response with the status 206 begins where the first part ended.
    func isContinued(by fields: HTTPFields) -> Bool {
        // `bytes 100-199/200`
        guard let text = fields[.contentRange], let match = text.wholeMatch(of: /bytes +(\d+)-(\d+)\/(\d+|\*)/),
            Int64(match.1) == offset, let last = Int64(match.2), last >= offset
        else { return false }
        guard let total = Int64(match.3) else { return length == nil || last + 1 == length }
        return last + 1 == total && (length == nil || total == length) && fields[.eTag].map { $0 == etag } ?? true
    }

    /// The validator if it is an entity tag, which the rest has, too.
    private var etag: String { validator.hasPrefix("\"") ? validator : "" }
}

extension HTTPFields {
    /// The entity tag, or the date of the last change where the clock shows that nothing changed in the same second
    /// (RFC 9110 §8.8.2.2); nil if both are weak or missing.
    fileprivate func strongValidator(at now: Int64) -> String? {
        if let tag = self[.eTag] { return tag.hasPrefix("\"") && tag.count > 1 && tag.hasSuffix("\"") ? tag : nil }
        guard let text = self[.lastModified], let date = self[.date],
            let change = HTTPDate(text, now: now), let sent = HTTPDate(date, now: now),
            sent.seconds - change.seconds >= 60
        else { return nil }
        return text
    }
}
#endif
