import Foundation

/// A user without privileges, with a copy of the program: where it was built, others may not look.
struct Nobody {
    /// The path of the copy.
    let program: String

    init(in scratch: Scratch) throws {
        program = scratch.file("reach")
        try FileManager.default.copyItem(atPath: Program.path, toPath: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }

    /// The words that run the program in a network.
    func words(in network: Namespace, _ arguments: String...) -> [String] {
        network.words("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program) + arguments
    }
}
