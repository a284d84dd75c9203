import Monitoring
import NIOCore

extension HTTPResponse {
    /// The maximum number of codings of a body, as for curl.
    private static let maxCodings = 5
    /// The registered codings and their older names.
    private static let compressions: Set<String> = [
        "br", "compress", "dcb", "dcz", "deflate", "gzip", "x-compress", "x-gzip", "zstd",
    ]

    /// Whether ``decoded()`` is needed before the body is read.
    var isEncoded: Bool { !codings.isEmpty && body.readableBytes > 0 }

    /// Returns the response with its body as it was before its codings. A long body would delay an event loop.
    ///
    /// Codings with another name are ignored, since servers name there what is none, such as `utf-8`.
    ///
    /// - Throws: The failure of a body that cannot be decompressed.
    func decoded() throws(Failure) -> HTTPResponse {
        guard isEncoded else { return self }
        guard codings.count <= Self.maxCodings else { throw codingFailure("the body has \(codings.count) codings") }
        var decoded = self
        for name in codings.reversed() where Self.compressions.contains(name) {
            try decoded.decompress(name)
        }
        return decoded
    }

    private mutating func decompress(_ name: String) throws(Failure) {
        #if Fetch
        if let coding = ContentCoding(name: name) {
            var content = ContentCoding.Result()
            do throws(ContentCoding.Problem) {
                let bytes = Array(buffer: body)
                try coding.decompress(
                    bytes,
                    limit: HTTPOptions.maxBodyLength,
                    isPartial: isTruncated,
                    into: &content
                )
            } catch {
                throw coding.failure(error, httpStatus: status)
            }
            return replaceBody(by: content)
        }
        #endif
        throw codingFailure("the body is compressed (\(name))")
    }

    /// Whether the body begins with bytes that no text has, and is not quoted.
    /// (https://mimesniff.spec.whatwg.org/#binary-data-byte)
    var isBinary: Bool {
        body.readableBytesView.prefix(200).contains { byte in
            switch byte {
            case 0...8, 0xB, 0xE...0x1A, 0x1C...0x1F: true
            default: false
            }
        }
    }

    private func codingFailure(_ detail: String) -> Failure {
        Failure(.httpBody, detail: detail, httpStatus: status)
    }
}

#if Fetch
extension ContentCoding {
    /// Returns the failure of a body that cannot be decompressed.
    func failure(_ problem: Problem, httpStatus: Int?) -> Failure {
        Failure(.httpBody, detail: "invalid \(self) body: \(problem.rawValue)", httpStatus: httpStatus)
    }
}
#endif
