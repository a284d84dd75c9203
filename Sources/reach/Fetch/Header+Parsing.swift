import ArgumentParser
import ReachKit

extension Fetch.Header {
    /// The fields that frame the request and are set by the program.
    private static let ownFields: Set<String> = ["connection", "content-length", "transfer-encoding"]

    /// Parses a field of the command line: `Name: value`, as for curl.
    ///
    /// - Parameter number: the number of the field, from one, for errors: its text may be a secret.
    init(field: String, number: Int) throws {
        let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].isToken else {
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
