import ReachSystem

/// The settings file that `reach init` writes: the sample `dashboard.toml` of the repository.
enum SampleSettings {
    /// The placeholder of the gateway in the sample, and the comment that says how to find it.
    private static let placeholder = """
        # ${NAME} is an environment variable, and the text after ":-" its default. Find your gateway with "ip route" on Linux, or
        # "route -n get default" on macOS.
        url = "icmp://${REACH_GATEWAY:-192.168.1.1}"
        """

    /// The line with the JSON Schema of the settings, for editors.
    private static let schemaLine = "#:schema Schemas/dashboard.schema.json\n"

    /// Returns the contents of the file.
    ///
    /// - Parameters:
    ///   - gateway: the default gateway of this machine, which replaces the placeholder; nil if there is none.
    ///   - schema: the URL of the JSON Schema; nil if it is not installed.
    static func text(gateway: String?, schema: String? = nil) -> String {
        let sample = String(decoding: PackageResources.dashboard_toml, as: UTF8.self)
            .replacing(schemaLine, with: schema.map { "#:schema \($0)\n" } ?? "")
        guard let gateway else { return sample }
        let host = gateway.contains(":") ? "[\(gateway)]" : gateway
        return sample.replacing(
            placeholder,
            with: """
                # The default gateway of this machine when this file was written. ${NAME} is an environment variable, and the text
                # after ":-" its default.
                url = "icmp://${REACH_GATEWAY:-\(host)}"
                """
        )
    }

    /// Writes a new file with mode 600, since settings may contain commands and secrets.
    ///
    /// - Returns: The problem, if the file exists or cannot be written; nil on success. A file that is written in part is removed.
    static func write(_ text: String, to path: String) -> String? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return problem(errno, path) }
        defer { close(descriptor) }
        do throws(SystemError) {
            try writeAll(text, to: descriptor)
            return nil
        } catch {
            // An incomplete file would make the next attempt fail with EEXIST.
            unlink(path)
            return problem(error.code, path)
        }
    }

    static func problem(_ code: Int32, _ path: String) -> String {
        switch code {
        case EEXIST: "already exists, not overwritten – choose another name, or move the file away"
        case ENOENT: "folder not found – mkdir -p \(folder(of: path))"
        case ENOTDIR: "a part of the path is not a folder"
        case EROFS: "the file system is read-only – choose another folder"
        case EACCES, EPERM: "no permission to write in \(folder(of: path))"
        default: "cannot be written: \(SystemError(code))"
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "this folder"
    }
}
