import Foundation

/// A folder in which `openssl` makes keys and certificates, and serves them.
final class OpenSSLFolder {
    static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    let path = FileManager.default.temporaryDirectory.appendingPathComponent("openssl-\(UUID().uuidString)").path

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Runs a command in the folder, and returns its exit status and its output with its errors.
    @discardableResult
    func run(_ command: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    private func openssl(_ arguments: String) throws {
        let (status, output) = try run("openssl", arguments.split(separator: " ").map(String.init))
        guard status == 0 else { throw OpenSSLFailure(arguments: arguments, output: output) }
    }

    /// Makes a key, `NAME.key`.
    ///
    /// - Parameter kind: The arguments of `openssl genpkey`.
    func makeKey(_ name: String, _ kind: String) throws {
        try openssl("genpkey \(kind) -out \(name).key")
    }

    /// Makes a certificate, `NAME.pem`, for the key of that name.
    ///
    /// - Parameters:
    ///   - issuer: The name of the issuer; nil for a self-signed certificate.
    ///   - extensions: The lines of its extensions.
    ///   - options: Further arguments of `openssl x509`.
    func certify(_ name: String, by issuer: String?, _ extensions: [String], options: String = "") throws {
        let lines = extensions.joined(separator: "\n") + "\n"
        try lines.write(toFile: file("extensions"), atomically: true, encoding: .utf8)
        try openssl("req -new -key \(name).key -subj /CN=\(name) -out request")
        let signer = issuer.map { "-CA \($0).pem -CAkey \($0).key -CAcreateserial" } ?? "-signkey \(name).key"
        try openssl("x509 -req -in request \(signer) -days 90 -extfile extensions -out \(name).pem \(options)")
    }

    /// Starts a web server with a certificate. The caller terminates it.
    func serve(_ name: String, chain: String?, on port: UInt16, _ options: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let arguments = "s_server -accept 127.0.0.1:\(port) -cert \(name).pem -key \(name).key -www -quiet"
        process.arguments =
            ["openssl"] + arguments.split(separator: " ").map(String.init)
            + ["-cipher", "DEFAULT@SECLEVEL=0"] + (chain.map { ["-cert_chain", "\($0).pem"] } ?? []) + options
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}

/// `openssl` is missing, or has failed.
struct OpenSSLFailure: Error, CustomStringConvertible {
    let arguments: String
    let output: String

    var description: String { "openssl \(arguments): not installed, or failed: \(output)" }
}
