import Monitoring

extension Target {
    /// The escaped labels of the target's series, the same in both formats.
    func metricLabels(_ redaction: Redaction) -> String {
        let (label, group) = (redaction.label(of: self), redaction.group(of: self) ?? "")
        return
            "target=\"\(label.labelValue)\",group=\"\(group.labelValue)\",method=\"\(question.method.rawValue)\""
    }

    /// The escaped labels of the target's information besides ``metricLabels(_:)``. Commas enclose each tag, so that the
    /// pattern `.*,prod,.*` selects one.
    func informationLabels(_ redaction: Redaction) -> String {
        let url = "url=\"\(redaction.url(of: self).labelValue)\""
        return tags.isEmpty ? url : url + ",tags=\",\(tags.joined(separator: ",").labelValue),\""
    }
}

extension String {
    /// The text escaped as a label value: both formats escape only quotes, line feeds and backslashes.
    var labelValue: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\n") })
        else { return self }
        // By scalars, since CR LF is one character.
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
