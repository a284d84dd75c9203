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
