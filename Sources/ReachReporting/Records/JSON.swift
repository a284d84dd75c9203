import Foundation
import ReachBasics
import ReachMonitoring

extension Encodable {
    /// The value as JSON on one line, with sorted keys. Characters that a terminal would execute are escaped.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and finite numbers always encode.
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self).escapingControls
    }
}

extension Duration {
    /// Seconds with millisecond precision, for spans and outages.
    var millisecondPrecision: Double { (inSeconds * 1_000).rounded() / 1_000 }

    /// Seconds with microsecond precision, for round trips and phases.
    var microsecondPrecision: Double { (inSeconds * 1_000_000).rounded() / 1_000_000 }

    /// The duration in milliseconds, rounded to microseconds.
    var inMilliseconds: Double { (inSeconds * 1_000_000).rounded() / 1_000 }
}

extension [Reply.PhaseTime] {
    /// The phases of a round trip in seconds, by name; nil if there are none.
    var bySeconds: [String: Double]? {
        guard !isEmpty else { return nil }
        let pairs = map { ($0.phase.rawValue, $0.duration.microsecondPrecision) }
        return Dictionary(pairs) { one, other in one + other }
    }
}

extension Array {
    /// The array; nil if it is empty, so that its key is absent.
    var nonEmpty: Self? { isEmpty ? nil : self }
}

extension Double {
    /// The number rounded to three decimals.
    var thousandths: Double { (self * 1_000).rounded() / 1_000 }
}

extension String {
    /// JSON text with an escape for every scalar that a terminal would execute.
    var escapingControls: String {
        guard unicodeScalars.contains(where: \.isControlling) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            guard scalar.isControlling else { return text.unicodeScalars.append(scalar) }
            text += scalar.unicodeEscape
        }
    }
}
