import ReachBasics
import ReachMonitoring

/// The client's side of a login by SCRAM-SHA-256 without channel binding (RFC 5802, RFC 7677), as a state machine. The user
/// is that of the startup message. Passwords are sent as they are, without SASLprep, which changes only rare characters.
struct SCRAMClient: Sendable, Equatable {
    static let mechanism = "SCRAM-SHA-256"
    /// The maximum number of iterations, which take about a second. The default of PostgreSQL is 4,096.
    static let maxIterations = 1_000_000

    private let password: String
    private let nonce: String
    private(set) var hasBegun = false
    /// Whether the server has proved that it has the password.
    private(set) var isVerified = false
    private var serverFirst = ""
    private var serverNonce = ""
    private var serverSignature: [UInt8]?

    /// - Parameter nonce: printable characters without commas.
    init(password: String, nonce: String) {
        self.password = password
        self.nonce = nonce
    }

    /// Returns the first message: `n,,` means no channel binding.
    mutating func begin() -> String {
        hasBegun = true
        return "n,,\(bareFirst)"
    }

    private var bareFirst: String { "n=,r=\(nonce)" }

    /// Handles the server's challenge: its nonce, the salt and the number of iterations.
    ///
    /// - Throws: The failure of an invalid challenge.
    mutating func receive(serverFirst bytes: [UInt8]) throws(Failure) -> PasswordKey {
        let message = String(decoding: bytes, as: UTF8.self)
        let parts = message.split(separator: ",", omittingEmptySubsequences: false)
        guard hasBegun, serverFirst.isEmpty, parts.count >= 3, parts[0].hasPrefix("r="), parts[1].hasPrefix("s="),
            parts[2].hasPrefix("i="), let salt = [UInt8](base64: parts[1].dropFirst(2)), !salt.isEmpty,
            let iterations = Int(parts[2].dropFirst(2)), iterations > 0
        else { throw Failure(.protocolError, detail: "malformed SCRAM challenge") }
        serverNonce = String(parts[0].dropFirst(2))
        guard serverNonce.hasPrefix(nonce), serverNonce != nonce else {
            throw Failure(.protocolError, detail: "malformed SCRAM challenge")
        }
        serverFirst = message
        return PasswordKey(password: Array(password.utf8), salt: salt, iterations: iterations)
    }

    /// Returns the last message, with the proof that the client has the password; nil before the challenge.
    ///
    /// - Parameter key: the derived ``PasswordKey``.
    mutating func finalMessage(with key: [UInt8]) -> String? {
        guard !serverFirst.isEmpty, serverSignature == nil else { return nil }
        // "biws" is the beginning of the first message, "n,,", in base64.
        let withoutProof = "c=biws,r=\(serverNonce)"
        let text = Array("\(bareFirst),\(serverFirst),\(withoutProof)".utf8)
        let clientKey = HMACKey(key).authenticate(Array("Client Key".utf8))
        let signature = HMACKey(SHA256Hasher.digest(of: clientKey)).authenticate(text)
        let proof = zip(clientKey, signature).map { $0 ^ $1 }
        let serverKey = HMACKey(key).authenticate(Array("Server Key".utf8))
        serverSignature = HMACKey(serverKey).authenticate(text)
        return "\(withoutProof),p=\(proof.base64)"
    }

    /// Handles the server's last message. Returns whether it proves that the server has the password.
    mutating func receive(serverFinal bytes: [UInt8]) -> Bool {
        guard let serverSignature else { return false }
        isVerified = bytes.elementsEqual("v=\(serverSignature.base64)".utf8)
        return isVerified
    }
}

/// A key to derive from a password: PBKDF2 with HMAC-SHA-256 (RFC 8018 §5.2), of 32 bytes.
struct PasswordKey: Sendable, Equatable {
    let password: [UInt8]
    let salt: [UInt8]
    let iterations: Int

    /// Derives the key. A million iterations take about a second.
    func derived() -> [UInt8] {
        let key = HMACKey(password)
        let first = key.authenticate(salt + [0, 0, 0, 1])
        var block = SIMD8<UInt32>()
        for (index, byte) in first.enumerated() { block[index / 4] = block[index / 4] << 8 | UInt32(byte) }
        var result = block
        var words = [UInt32](repeating: 0, count: 64)
        for _ in 1..<max(1, iterations) {
            block = key.authenticate(block, &words)
            result ^= block
        }
        return SHA256Hasher.bytes(of: result)
    }
}
