import Foundation

/// A real database server in a folder of its own, run by a user without privileges. Releasing the last reference kills it.
final class DatabaseServer: Sendable {
    let port: Int
    /// The folder of the server, with its log in `err`.
    let folder: String
    private let child: Child

    /// The folder of PostgreSQL's programs, which Debian keeps out of `PATH`; nil if it is not installed.
    static let postgresFolder: String? = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return all.sorted { ($0 as NSString).integerValue < ($1 as NSString).integerValue }.last
            .map { "/usr/lib/postgresql/\($0)/bin" }
    }()

    /// Runs a script that ends with the server.
    ///
    /// - Parameters:
    ///   - script: a script for the shell, in which `$PORT` is the port.
    ///   - network: the namespace to listen in; nil is this machine.
    init(_ name: String, _ script: String, in scratch: Scratch, of network: Namespace? = nil) async throws {
        // Below the ephemeral ports.
        port = .random(in: 12_000..<20_000)
        folder = scratch.file(name)
        let files = FileManager.default
        if !files.fileExists(atPath: folder) {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
        let isRoot = getuid() == 0
        if isRoot { try Tool.must(["chown", "-R", "65534:65534", folder]) }
        let user = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        let words = user + ["sh", "-e", "-c", "umask 077; cd \"\(folder)\"; PORT=\(port); HOME=$PWD; \(script)"]
        let log = "\(folder).err"
        child = try Child(
            network?.words(words) ?? words,
            in: "/tmp",
            environment: ["PATH": "\(Self.postgresFolder ?? "/bin"):/usr/local/bin:/usr/sbin:/usr/bin:/bin"],
            streams: .files(output: "\(folder).out", errors: log)
        )
        let list = ["ss", "--no-header", "--tcp", "--listening", "--numeric"]
        let text = { String(decoding: files.contents(atPath: log) ?? Data(), as: UTF8.self) }
        try await eventually("listening \(name)", within: .seconds(90), context: text) {
            guard child.status == nil else { throw TestFailure(description: "\(name) ended: \(text())") }
            return try Tool.must(network?.words(list) ?? list).output.contains(":\(port) ")
        }
    }

    /// Ends the server, so that another one can use its folder.
    func stop() async throws {
        child.send(SIGINT)
        _ = try await child.end(within: .seconds(20))
    }
}
