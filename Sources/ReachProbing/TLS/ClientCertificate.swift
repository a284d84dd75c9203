#if TLS
import NIOSSL
import ReachMonitoring
import ReachSystem
import SwiftASN1
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The certificate that identifies this machine to servers, with its key.
final class ClientCertificate: CachedContent {
    /// A context with the certificate, and the context without it that is otherwise equal.
    private struct Context: Sendable {
        let base: NIOSSLContext
        let context: NIOSSLContext
    }

    /// The maximum number of contexts to keep. There are two for each event loop.
    private static let maxContexts = 8

    /// When the certificate expires, in seconds since 1970.
    let expiry: Int64
    private let chain: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey
    private let contexts = Mutex<[Context]>([])

    /// Reads the files. Blocks while reading.
    ///
    /// - Throws: The fault of a file that cannot be read, of a key that does not match, or of a certificate that is not
    ///   valid now.
    init(reading files: ClientCertificateFiles) throws(Fault) {
        let text = try Self.contents(of: files.certificate)
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(text), let first = chain.first,
            let der = try? first.toDERBytes(), let fields = try? CertificateFields(der: der)
        else { throw Fault(.noCertificate, detail: "no certificate in \(files.certificate)") }
        let secret = try Self.contents(of: files.key)
        guard let key = try? NIOSSLPrivateKey(bytes: secret, format: .pem) else {
            throw Fault(.noCertificate, detail: "no private key in \(files.key), or an encrypted one")
        }
        let now = TLSContexts.systemTime()
        if let failure = fields.validity.failure(of: "client certificate \(files.certificate)", at: now) {
            throw Fault(.noCertificate, detail: "\(failure.detail) – replace the file")
        }
        (self.chain, self.key, expiry) = (chain, key, fields.validity.end)
        do {
            _ = try TLSContexts.makeContext(presenting: self)
        } catch {
            let detail = "the key in \(files.key) is not that of the certificate in \(files.certificate)"
            throw Fault(.noCertificate, detail: detail)
        }
    }

    /// Whether the certificate has not expired.
    var isValid: Bool { expiry >= TLSContexts.systemTime() }

    static func paths(of files: ClientCertificateFiles) -> [String] { [files.certificate, files.key] }

    static func noResponse(of files: ClientCertificateFiles) -> Fault {
        Fault(.noCertificate, detail: "\(files.certificate) is still being read")
    }

    private static func contents(of file: String) throws(Fault) -> [UInt8] {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
            throw Fault(.noCertificate, detail: "cannot read \(file)")
        }
        return Array(data)
    }

    /// Adds the certificate to the configuration of a context.
    func add(to configuration: inout TLSConfiguration) {
        configuration.certificateChain = chain.map { .certificate($0) }
        configuration.privateKey = .privateKey(key)
    }

    /// Returns a context with this certificate in place of one without.
    ///
    /// - Parameter make: makes it, unless it is cached.
    func context(inPlaceOf base: NIOSSLContext, make: () throws -> NIOSSLContext) throws -> NIOSSLContext {
        if let cached = contexts.withLock({ $0.first { $0.base === base } }) { return cached.context }
        let context = try make()
        contexts.withLock { contexts in
            contexts = contexts.suffix(Self.maxContexts - 1) + [Context(base: base, context: context)]
        }
        return context
    }
}

/// The files of a client certificate.
struct ClientCertificateFiles: Sendable, Hashable {
    let certificate: String
    let key: String

    /// The files of these options; nil without a client certificate.
    init?(_ options: TLSOptions) {
        guard let certificate = options.certificate else { return nil }
        self.certificate = certificate
        key = options.key ?? certificate
    }
}
#endif
