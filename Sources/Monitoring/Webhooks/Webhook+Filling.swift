extension Webhook {
    /// The names of all fields that may stand in a request, as `${REACH_TARGET}`.
    public static let fields = [
        "REACH_EVENT", "REACH_TARGET", "REACH_URL", "REACH_HOST", "REACH_PORT", "REACH_ADDRESS",
        "REACH_PREVIOUS_ADDRESS", "REACH_GROUP", "REACH_HEALTH", "REACH_PREVIOUS_HEALTH", "REACH_FLAPPING",
        "REACH_REASON", "REACH_SINCE", "REACH_DOWN_SECONDS", "REACH_ROUND_TRIP_MS", "REACH_LOSS", "REACH_ATTEMPT",
    ]

    /// The request as it is sent for one run: every field filled in, in the way of the place where it stands, so that no
    /// name and no answer of a target becomes more than a text there.
    ///
    /// In the URL a value is percent-encoded; in a header it loses its control characters; in the body it is escaped as
    /// JSON or encoded as a form, as the `Content-Type` says. A body that is not given is the payload, unless the method
    /// is GET or HEAD, and a type that is not given is `application/json`.
    ///
    /// - Parameters:
    ///   - values: what the fields stand for (``HookRun/environment(wall:)``).
    ///   - payload: the JSON object that a command would read from standard input.
    public func filled(with values: [(name: String, value: String)], payload: String) -> Webhook {
        let values = Dictionary(values.map { ($0.name, $0.value) }) { _, last in last }
        var filled = self
        filled.url = FieldText(url).filled(by: values, encoding: \.percentEncoded)
        filled.headers = headers.map { header in
            let value = FieldText(header.value).filled(by: values, encoding: \.withoutControls)
            return HTTPOptions.Header(name: header.name, value: value)
        }
        if let body {
            let text = FieldText(body)
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

    /// How a value is written in a body.
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
