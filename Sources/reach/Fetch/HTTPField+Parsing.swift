import ArgumentParser
import Monitoring
import ReachBasics
import ReachKit

extension HTTPField {
    /// Parses a field of the command line: `Name: value`, as in curl.
    ///
    /// - Parameter number: The number of the field, from 1, for errors. They do not quote the field, which may be a secret.
    init(field: String, number: Int) throws {
        let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let fieldName = HTTPField.Name(String(parts[0])) else {
            throw ValidationError("-H no. \(number): invalid header field – such as 'Accept: text/plain'")
        }
        let name = String(parts[0])
        guard !HTTPOptions.framingFields.contains(name.lowercased()) else {
            throw ValidationError("-H \(name): cannot be set, reach sets this field itself")
        }
        let isPlain = parts[1].unicodeScalars.allSatisfy { $0 == "\t" || !$0.isControl }
        guard isPlain else { throw ValidationError("-H \(name): control character in the value") }
        let value = parts[1].drop { $0 == " " || $0 == "\t" }
        self.init(name: fieldName, value: String(value))
    }
}
