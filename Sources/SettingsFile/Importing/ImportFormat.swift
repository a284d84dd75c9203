/// A file format of another tool whose targets can be imported.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// A list for `fping -f`: a host on each line.
    case fping
    /// A hosts(5) file, such as `/etc/hosts`.
    case hosts
    /// An ssh_config(5) file, such as `~/.ssh/config`.
    case ssh
    /// A file of Prometheus's file-based service discovery, in JSON or YAML.
    case prometheus
    /// A configuration of Gatus, in YAML.
    case gatus

    /// Detects the format by the name of a file, or else by its content; nil for another file.
    init?(of text: String, named file: String) {
        let name = file.split(separator: "/").last.map { $0.lowercased() } ?? ""
        let lines = text.split(whereSeparator: \.isNewline).map { $0.prefix { $0 != "#" }.importWords }
            .filter { !$0.isEmpty }
        if [".yaml", ".yml", ".json"].contains(where: { name.hasSuffix($0) }) {
            self = lines.contains { $0[0].hasPrefix("endpoints:") } ? .gatus : .prometheus
        } else if lines.contains(where: { $0[0] == "endpoints:" }) {
            self = .gatus
        } else if lines.first.map({ $0[0].hasPrefix("[") || $0[0] == "-" }) ?? false {
            self = .prometheus
        } else if Self.isSecureShellConfiguration(lines) {
            self = .ssh
        } else if name == "hosts"
            || lines.contains(where: { $0.count > 1 }) && lines.allSatisfy({ Self.isAddress($0[0]) })
        {
            self = .hosts
        } else if !lines.isEmpty, lines.allSatisfy({ $0.count == 1 && !$0[0].contains("=") }) {
            self = .fping
        } else {
            return nil
        }
    }

    /// The name of the format for people.
    var title: String {
        switch self {
        case .fping: "an fping list"
        case .hosts: "a hosts file"
        case .ssh: "an ssh configuration"
        case .prometheus: "Prometheus file_sd"
        case .gatus: "a Gatus configuration"
        }
    }

    /// Whether most lines begin with a keyword of ssh_config(5) and have a value, and one begins a block. A word in a list
    /// of hosts may be `host`, too.
    private static func isSecureShellConfiguration(_ lines: [[Substring]]) -> Bool {
        let keywords = lines.compactMap { words -> String? in
            let parts = words[0].split(separator: "=", maxSplits: 1)
            guard let keyword = parts.first?.lowercased(), parts.count == 2 || words.count > 1 else { return nil }
            return ImportDraft.secureShellKeywords.contains(keyword) ? keyword : nil
        }
        return keywords.count * 2 > lines.count && keywords.contains { ["host", "match"].contains($0) }
    }

    private static func isAddress(_ text: Substring) -> Bool {
        text.contains(":") || text.allSatisfy { $0.isNumber || $0 == "." }
    }
}

extension Substring {
    /// The words of a line.
    var importWords: [Substring] {
        split { $0 == " " || $0 == "\t" || $0 == "\r" }
    }
}
