import Foundation

extension Encodable {
    /// The object on one line, its keys in alphabetical order. In it, no character stands as it is that a terminal
    /// would obey: JSON has an escape for each.
    var jsonLine: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and finite numbers always encode.
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self).escapingObeyed
    }
}
