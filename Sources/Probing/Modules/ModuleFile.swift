#if Fetch
import Monitoring
import ReachBasics

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A small file of a module, such as one with a token.
enum ModuleFile {
    /// The largest size in bytes.
    static let limit = 1_048_576

    /// Reads a file of text.
    static func text(of path: String) throws(Fault) -> String {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Fault(.internal, detail: "cannot read \(path)")
        }
        guard data.count <= limit else { throw Fault(.internal, detail: "\(path) is larger than 1 MiB") }
        return String(decoding: data, as: UTF8.self)
    }
}

extension ModuleSecret {
    /// The secret.
    var text: String {
        get throws(Fault) {
            switch self {
            case .text(let text): text
            case .file(let path): try ModuleFile.text(of: path).trimmed
            }
        }
    }
}

extension ModuleAuthorization {
    /// The value of the field `Authorization`.
    var fieldValue: String {
        get throws(Fault) {
            switch self {
            case .basic(let user, let secret): "Basic \(Array("\(user):\(try secret.text)".utf8).base64)"
            case .scheme(let scheme, let secret): "\(scheme) \(try secret.text)"
            }
        }
    }
}
#endif
