import Monitoring

extension Target {
    /// The labels of the target's series, as both formats write them.
    func metricLabels(_ redaction: Redaction) -> String {
        let (label, group) = (redaction.label(of: self), redaction.group(of: self) ?? "")
        return
            "target=\"\(label.labelValue)\",group=\"\(group.labelValue)\",method=\"\(question.method.rawValue)\""
    }
}

extension String {
    /// The text as the value of a label: both formats escape quotes, ends of line and backslashes, and nothing else.
    var labelValue: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\n") })
        else { return self }
        // By scalars: in a line that ends as Windows has it, the end is one character.
        return unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += #"\\"#
            case "\"": text += #"\""#
            case "\n": text += #"\n"#
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
