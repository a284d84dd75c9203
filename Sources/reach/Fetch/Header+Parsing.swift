import ArgumentParser
import Monitoring

extension HTTPOptions.Header {
    /// The fields that frame the request, and are the program's own to say.
    private static let ownFields: Set<String> = ["connection", "content-length", "transfer-encoding"]

    /// Reads a field as curl has it on its command line: `Name: value`.
    ///
    /// - Parameter number: which of the fields it is, from one; what stands there may be a secret.
    init(field: String, number: Int) throws {
        let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(\.isTokenByte) else {
            throw ValidationError("-H no. \(number) is no header field: such as 'Accept: text/plain'")
        }
        let name = String(parts[0])
        guard !Self.ownFields.contains(name.lowercased()) else {
            throw ValidationError("-H \(name): the program says that itself")
        }
        let isPlain = parts[1].unicodeScalars.allSatisfy { $0 == "\t" || $0.properties.generalCategory != .control }
        guard isPlain else { throw ValidationError("-H \(name): a control character in the value") }
        let value = parts[1].drop { $0 == " " || $0 == "\t" }
        self.init(name: name, value: String(value))
    }
}

extension UInt8 {
    /// Whether a name of a method or of a field may have it (`tchar`, RFC 9110 §5.6.2).
    var isTokenByte: Bool {
        let scalar = Unicode.Scalar(self)
        return scalar.isASCII && scalar.properties.isAlphabetic || "0123456789!#$%&'*+-.^_`|~".utf8.contains(self)
    }
}
