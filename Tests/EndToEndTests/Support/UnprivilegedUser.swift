import Foundation

/// A user without privileges, with a readable copy of the program: the build folder may not be readable to others.
struct UnprivilegedUser {
    /// The path of the copy.
    let program: String

    init(in scratch: Scratch) throws {
        program = scratch.file("reach")
        // A process that a parallel test starts meanwhile would inherit the open copy, which then cannot be executed.
        try Tool.must(["install", "-m", "755", Program.path, program])
    }

    /// The command line that runs the program as this user in a namespace.
    func words(in network: Namespace, _ arguments: String...) -> [String] {
        network.words("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program) + arguments
    }
}
