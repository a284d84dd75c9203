extension Webhook {
    /// The names of all fields that a request may contain, as `${REACH_TARGET}`.
    public static let fields = [
        "REACH_EVENT", "REACH_TARGET", "REACH_URL", "REACH_HOST", "REACH_PORT", "REACH_ADDRESS",
        "REACH_PREVIOUS_ADDRESS", "REACH_GROUP", "REACH_TAGS", "REACH_HEALTH", "REACH_PREVIOUS_HEALTH",
        "REACH_FLAPPING", "REACH_REASON", "REACH_SINCE", "REACH_DOWN_SECONDS", "REACH_ROUND_TRIP_MS", "REACH_LOSS",
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
    /// - values: the values of the fields (``HookRun/environment(wall:)``).
    /// - payload: the JSON object that a command reads from standard input.
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
