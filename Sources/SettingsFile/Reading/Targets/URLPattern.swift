/// An element of `urls`: a URL with ranges, lists or a network in place of a part of it.
///
/// * `{1..50}` counts, `{01..50}` with leading zeros. `{a,b,c}` is each of the words. Several of them are combined.
/// * `10.1.0.0/28`, alone or as the host of a URL without a path, is each host of that network.
struct URLPattern {
    /// Why a text is not a pattern, and the fix.
    struct Failure: Error, Hashable {
        let message: String
        let hint: String
    }

    /// The largest number of URLs of one table.
    static let limit = 4_096
    private static let example = "such as {1..50}, {01..50} or {a,b,c}; in a URL, a brace is %7B or %7D"

    /// A part of a pattern.
    private enum Part {
        case text(Substring)
        case words([Substring])
        /// Numbers with at least so many digits.
        case numbers(ClosedRange<Int>, digits: Int)

        var count: Int {
            switch self {
            case .text: 1
            case .words(let words): words.count
            case .numbers(let range, _): range.count
            }
        }
    }

    /// The URLs.
    let urls: [String]

    /// Creates the URLs of a pattern.
    ///
    /// - Throws: ``Failure`` for an invalid pattern, or for one with more than ``limit`` URLs. These are never made.
    init(_ text: String) throws(Failure) {
        let parts: [Part]
        do throws(Failure) {
            parts = try Self.parts(of: text)
        } catch {
            // The braces may be part of a password.
            guard text.contains("@") else { throw error }
            throw Failure(message: "neither a range nor a list in the braces", hint: Self.example)
        }
        let count = parts.reduce(1) { count, part in
            let (product, isTooLarge) = count.multipliedReportingOverflow(by: part.count)
            return isTooLarge ? Int.max : product
        }
        guard count <= Self.limit else { throw Self.tooMany(count == .max ? nil : UInt128(count)) }
        var urls: [String] = []
        for text in Self.combined(parts) {
            guard let network = try NetworkPattern(text) else {
                urls.append(text)
                continue
            }
            let total = UInt128(urls.count) + network.hostCount
            guard total <= Self.limit else { throw Self.tooMany(total) }
            urls += network.urls
        }
        guard urls.count <= Self.limit else { throw Self.tooMany(UInt128(urls.count)) }
        self.urls = urls
    }

    /// The failure of a pattern with too many URLs; nil is more than an integer counts.
    static func tooMany(_ count: UInt128?) -> Failure {
        let number = count.flatMap { $0 > 1_000_000_000_000 ? nil : String($0) } ?? "more than a trillion"
        return Failure(
            message: "\(number) targets are too many for one table",
            hint: "at most \(limit); a narrower range, or several tables"
        )
    }

    // MARK: Braces

    private static func parts(of text: String) throws(Failure) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        while let brace = rest.firstIndex(where: { "{}".contains($0) }) {
            guard rest[brace] == "{" else { throw Failure(message: "\"}\" without \"{\"", hint: example) }
            parts.append(.text(rest[..<brace]))
            rest = rest[brace...].dropFirst()
            guard let end = rest.firstIndex(of: "}") else {
                throw Failure(message: "\"{\" without \"}\"", hint: example)
            }
            let content = rest[..<end]
            guard !content.contains("{") else { throw Failure(message: "braces inside braces", hint: example) }
            parts.append(try part(of: content))
            rest = rest[end...].dropFirst()
        }
        return parts + [.text(rest)]
    }

    private static func part(of content: Substring) throws(Failure) -> Part {
        if let dots = content.firstRange(of: "..") {
            let (low, high) = (content[..<dots.lowerBound], content[dots.upperBound...])
            guard let first = number(low), let last = number(high) else {
                throw Failure(message: "invalid range \("{\(content)}".quoted)", hint: "such as {1..50} or {01..50}")
            }
            guard first <= last else {
                throw Failure(message: "the range \("{\(content)}".quoted) is backwards", hint: "{\(high)..\(low)}")
            }
            let isPadded = [low, high].contains { $0.count > 1 && $0.hasPrefix("0") }
            return .numbers(first...last, digits: isPadded ? max(low.count, high.count) : 1)
        }
        let words = content.split(separator: ",", omittingEmptySubsequences: false)
        guard words.count > 1, words.allSatisfy({ !$0.isEmpty }) else {
            throw Failure(message: "\("{\(content)}".quoted) is neither a range nor a list", hint: example)
        }
        return .words(words)
    }

    /// The number in a text of at most nine digits.
    private static func number(_ text: Substring) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// The texts of all combinations; the last part varies fastest.
    private static func combined(_ parts: [Part]) -> [String] {
        parts.reduce([""]) { texts, part in
            switch part {
            case .text(let more):
                texts.map { $0 + more }
            case .words(let words):
                texts.flatMap { text in words.map { text + $0 } }
            case .numbers(let range, let digits):
                texts.flatMap { text in
                    range.map { number in
                        let plain = String(number)
                        return text + String(repeating: "0", count: max(0, digits - plain.count)) + plain
                    }
                }
            }
        }
    }
}
