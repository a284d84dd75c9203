import Monitoring
import NIOCore

extension HTTPResponse {
    /// The maximum number of codings of a body, as for curl.
    private static let maxCodings = 5
    /// The registered codings that need a library, and their older names.
    private static let unsupportedCodings: Set<String> = ["br", "compress", "dcb", "dcz", "x-compress", "zstd"]

    /// Whether ``decoded()`` is needed before the body is read.
    var isEncoded: Bool { !codings.isEmpty && body.readableBytes > 0 }

    /// Returns the response with its body as it was before its codings. A body of a megabyte takes about a tenth of a
    /// second.
    ///
    /// Codings with another name are ignored, since servers name there what is none, such as `utf-8`.
    ///
    /// - Throws: The failure of a body that cannot be decompressed.
    func decoded() throws(Failure) -> HTTPResponse {
        guard isEncoded else { return self }
        guard codings.count <= Self.maxCodings else { throw codingFailure("the body has \(codings.count) codings") }
        var content = ContentCoding.Result(bytes: Array(buffer: body), isTruncated: isTruncated)
        for name in codings.reversed() {
            guard let coding = ContentCoding(name: name) else {
                guard Self.unsupportedCodings.contains(name) else { continue }
                throw codingFailure("the body is compressed (\(name))")
            }
            do throws(ContentCoding.Problem) {
                try coding.decompress(
                    content.bytes,
                    limit: HTTPOptions.maxBodyLength,
                    isPartial: content.isTruncated,
                    into: &content
                )
            } catch {
                throw coding.failure(error, httpStatus: status)
            }
        }
        var decoded = self
        decoded.replaceBody(by: content)
        return decoded
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

extension ContentCoding {
    /// Returns the failure of a body that cannot be decompressed.
    func failure(_ problem: Problem, httpStatus: Int?) -> Failure {
        Failure(.httpBody, detail: "invalid \(self) body: \(problem.rawValue)", httpStatus: httpStatus)
    }
}
