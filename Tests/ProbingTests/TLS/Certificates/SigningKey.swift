import Foundation

/// A P-256 key, made by `openssl`, which signs with it too.
final class SigningKey: Sendable {
    /// The key as the text of a PEM file.
    let pem: String
    /// The public key in DER (RFC 5280 §4.1.2.7).
    let publicKeyInfo: [UInt8]
    private let file: URL

    init() throws {
        let generated = try Self.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout")
        pem = String(decoding: generated, as: UTF8.self)
        file = FileManager.default.temporaryDirectory.appendingPathComponent("key-\(UUID().uuidString).pem")
        try generated.write(to: file)
        publicKeyInfo = Array(try Self.openssl("ec", "-pubout", "-outform", "DER", input: generated))
    }

    deinit {
        try? FileManager.default.removeItem(at: file)
    }

    /// The ECDSA signature of the SHA-256 of bytes, in DER.
    func signature(of bytes: [UInt8]) throws -> [UInt8] {
        Array(try Self.openssl("dgst", "-sha256", "-sign", file.path, input: Data(bytes)))
    }

    /// Runs `openssl`, and returns its output.
    private static func openssl(_ arguments: String..., input: Data = Data()) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let (standardInput, output) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Less than a pipe holds.
        try standardInput.fileHandleForWriting.write(contentsOf: input)
        try standardInput.fileHandleForWriting.close()
        let result = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw OpenSSLFailure(arguments: arguments.joined(separator: " "), output: "")
        }
        return result
    }
}
