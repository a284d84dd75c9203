import ReachBasics

/// An HTTP request that a hook sends.
///
/// In the URL, the header values and the body, `${REACH_…}` stands for an environment variable of a command
/// (``HookRun/environment(wall:)``). ``filled(with:payload:)`` inserts the encoded values. The host comes from the
/// settings alone, so that data from a target never decides where a request goes.
public struct Webhook: Sendable, Hashable, CustomStringConvertible {
    /// The URL: `https://example.net/hook?target=${REACH_TARGET}`.
    public var url: String
    /// The URL as it is shown, if it has secrets: with their names.
    public var shownURL: String?
    /// The request's method.
    public var method: String
    /// Header fields besides those that the protocol needs.
    public var headers: [HTTPOptions.Header]
    /// The body; nil for the JSON object that a command reads from standard input.
    public var body: String?

    /// Creates a request; by default a POST of the JSON object.
    public init(url: String, method: String = "POST", headers: [HTTPOptions.Header] = [], body: String? = nil) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }

    /// The request's first line, without the query, which may contain a secret.
    public var description: String {
        let shown = shownURL ?? url
        let end = shown.firstIndex(of: "?")
        return "\(method) \(end.map { "\(shown[..<$0])?…" } ?? shown)"
    }
}

extension Webhook {
    /// The names of all fields that a request may contain, as `${REACH_TARGET}`.
    public static let fields = [
        "REACH_EVENT", "REACH_TARGET", "REACH_URL", "REACH_HOST", "REACH_PORT", "REACH_ADDRESS",
        "REACH_PREVIOUS_ADDRESS", "REACH_GROUP", "REACH_TAGS", "REACH_HEALTH", "REACH_PREVIOUS_HEALTH",
        "REACH_FLAPPING", "REACH_REASON", "REACH_SINCE", "REACH_DOWN_SECONDS", "REACH_ROUND_TRIP_MS", "REACH_LOSS",
        "REACH_SHIFT", "REACH_LEVEL_BEFORE_MS", "REACH_LEVEL_MS", "REACH_PATH_END", "REACH_PATH_HOPS",
        "REACH_PATH_BEFORE", "REACH_CAUSE", "REACH_CAUSE_COUNT",
        "REACH_ACKNOWLEDGED", "REACH_VANTAGE_UP", "REACH_VANTAGE_DEGRADED", "REACH_VANTAGE_DOWN",
        "REACH_VANTAGE_SILENT", "REACH_ATTEMPT",
    ]

    /// Returns the request for one run, with each field filled in. Values are encoded for the place where they occur,
    /// so that a name or a reply of a target is only ever text.
    ///
    /// Values are percent-encoded in the URL and lose their control characters in headers. In the body they are encoded
    /// as JSON or as a form, by the `Content-Type`. The body defaults to the payload, unless the method is GET or HEAD;
    /// the type defaults to `application/json`.
    ///
    /// - Parameters:
    ///   - values: the values of the fields (``HookRun/environment(wall:)``).
    ///   - payload: the JSON object that a command reads from standard input.
    public func filled(with values: [(name: String, value: String)], payload: String) -> Webhook {
        let values = Dictionary(values.map { ($0.name, $0.value) }) { _, last in last }
        var filled = self
        filled.url = FieldTemplate(url).filled(by: values, encoding: \.percentEncoded)
        filled.headers = headers.map { header in
            let value = FieldTemplate(header.value).filled(by: values, encoding: \.withoutControls)
            return HTTPOptions.Header(name: header.name, value: value)
        }
        if let body {
            let text = FieldTemplate(body)
            filled.body =
                switch contentType {
                case .json: text.filledAsJSON(by: values)
                case .form: text.filled(by: values, encoding: \.percentEncoded)
                case .other: text.filled(by: values) { $0 }
                }
        } else if method != "GET", method != "HEAD" {
            filled.body = payload
        }
        if filled.body != nil, !headers.contains(where: \.isContentType) {
            filled.headers.append(HTTPOptions.Header(name: "Content-Type", value: "application/json"))
        }
        return filled
    }

    /// The encoding of values in a body.
    private enum ContentType {
        case json
        case form
        case other
    }

    private var contentType: ContentType {
        guard let header = headers.first(where: \.isContentType) else { return .json }
        let type = header.value.prefix { $0 != ";" && $0 != " " }.lowercased()
        if type.hasSuffix("/json") || type.hasSuffix("+json") { return .json }
        return type == "application/x-www-form-urlencoded" ? .form : .other
    }
}

extension HTTPOptions.Header {
    fileprivate var isContentType: Bool { name.lowercased() == "content-type" }
}

extension Webhook {
    /// The problem with the URL of a request; nil if it is valid with any values of its fields.
    ///
    /// Fields may occur in the path and the query only, so that data from a target never decides where a request goes.
    public static func problem(withURL url: String) -> URLProblem? {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let end = url[start...].firstIndex { "/?".contains($0) } ?? url.endIndex
        guard !url[..<end].contains("${") else {
            return URLProblem(
                "${…} in the host of a request",
                hint: "in the path or the query: https://example.net/hook?target=${REACH_TARGET}"
            )
        }
        if let problem = problem(withText: url) { return problem }
        let example = "such as https://example.net/hook"
        let elsewhere = URLProblem("only http:// and https:// are supported", hint: example)
        guard url.isEmpty || url.contains("://") else { return elsewhere }
        do {
            // Values are percent-encoded, so one letter can stand for any of them.
            guard case .http = try Question(FieldTemplate(url).filled(by: [:]) { _ in "x" }) else {
                return elsewhere
            }
            return nil
        } catch {
            return URLProblem(error.message, hint: error.hint ?? example)
        }
    }

    /// The problem with the fields in a text of a request; nil if all are known.
    public static func problem(withText text: String) -> URLProblem? {
        guard let unknown = FieldTemplate(text).fields.first(where: { !fields.contains($0) }) else { return nil }
        let near = unknown.nearest(of: fields).map { "did you mean ${\($0)}?" }
        return URLProblem(
            "unknown field ${\(unknown)}",
            hint: near ?? "one of \(fields.joined(separator: " "))"
        )
    }
}

/// A text with fields, `${REACH_…}`, that are filled in for each request.
struct FieldTemplate: Sendable, Hashable {
    /// A part of the text.
    enum Piece: Sendable, Hashable {
        /// Literal text.
        case text(String)
        /// The name of a field: `REACH_TARGET`.
        case field(String)
    }

    /// The parts, in their order.
    let pieces: [Piece]

    /// Parses a text. A `${` that begins no field is literal text.
    init(_ text: String) {
        var pieces: [Piece] = []
        var rest = text[...]
        for match in text.matches(of: /\$\{(REACH_[A-Z0-9_]*)\}/) {
            if rest.startIndex < match.range.lowerBound {
                pieces.append(.text(String(rest[..<match.range.lowerBound])))
            }
            pieces.append(.field(String(match.1)))
            rest = rest[match.range.upperBound...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
    }

    /// The names of the fields, in their order.
    var fields: [String] {
        pieces.compactMap { if case .field(let name) = $0 { name } else { nil } }
    }

    /// Returns the text with each field replaced by its encoded value. An unknown field is empty, as in a shell.
    func filled(by values: [String: String], encoding: (String) -> String) -> String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let literal): text += literal
            case .field(let name): text += encoding(values[name] ?? "")
            }
        }
    }

    /// Returns the text, a template of JSON, with its fields filled in. Within a string, values are escaped. Elsewhere
    /// a value becomes a number, `true` or `false` if it looks like one, `null` if it is empty, and otherwise a string.
    /// So no value changes the structure of the document.
    func filledAsJSON(by values: [String: String]) -> String {
        var isInString = false
        var isEscaped = false
        return pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let literal):
                for scalar in literal.unicodeScalars {
                    if isEscaped {
                        isEscaped = false
                    } else if scalar == "\"" {
                        isInString.toggle()
                    } else {
                        isEscaped = isInString && scalar == "\\"
                    }
                }
                text += literal
            case .field(let name):
                let value = values[name] ?? ""
                text += isInString ? value.jsonEscaped : value.jsonLiteral
            }
        }
    }
}

extension String {
    /// The text as a JSON value: a number or a boolean if it is written like one, `null` if it is empty, a string
    /// otherwise.
    var jsonLiteral: String {
        if isEmpty { return "null" }
        let isNumber = wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil
        return isNumber || self == "true" || self == "false" ? self : jsonString
    }

    /// The text without control characters, which could end a header field or a line.
    var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isControl }))
    }
}
