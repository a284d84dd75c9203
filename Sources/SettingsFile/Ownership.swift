/// The owner and permissions of a file or of a directory above it. They decide who can change the commands in the file,
/// or replace the file.
struct Ownership: Hashable {
    /// The user identifier of the owner.
    let owner: UInt32
    /// The permission bits.
    let mode: UInt32
    /// The effective user identifier of this process.
    let user: UInt32
    /// Whether `user` is the only member of the file's group, as distributions set users up. Group write permission is
    /// then safe, and files created with umask 002 have it.
    var isPrivateGroup = false

    /// Returns a problem if another user can change the commands in the file, with the command that fixes it; nil if
    /// only the user and root can. ssh applies the same rule to its own settings, as built by Debian.
    func problem(file: String) -> SettingsProblem? {
        let argument = file.shellWord
        if owner != user, owner != 0 {
            return SettingsProblem(
                file: file,
                message: "the file has commands and belongs to another user (uid \(owner))",
                hint: "chown \(user) \(argument)"
            )
        }
        return writers.map { writers in
            SettingsProblem(
                file: file,
                message: "the file has commands and \(writers) can write it",
                hint: "chmod go-w \(argument)"
            )
        }
    }

    /// Returns a problem if another user can replace the file by way of this directory above it; nil if only the user
    /// and root can. The rule is that of sshd's `safe_path`, except that sticky directories such as `/tmp` are allowed:
    /// only its owner can replace an entry there.
    func problem(file: String, directory: String) -> SettingsProblem? {
        if owner != user, owner != 0 {
            return SettingsProblem(
                file: file,
                message:
                    "the file has commands and is below \(directory), which belongs to another user (uid \(owner))",
                hint: "move the file, or chown \(user) \(directory.shellWord)"
            )
        }
        guard mode & Self.sticky == 0, let writers else { return nil }
        return SettingsProblem(
            file: file,
            message: "the file has commands and \(writers) can write \(directory), above it",
            hint: "chmod go-w \(directory.shellWord)"
        )
    }

    private static let sticky: UInt32 = 0o1000

    /// The users besides the owner who can write, for messages.
    private var writers: String? {
        let (group, others): (UInt32, UInt32) = (0o020, 0o002)
        let mode = isPrivateGroup ? mode & ~group : mode
        return switch (mode & group != 0, mode & others != 0) {
        case (true, true): "its group and others"
        case (true, false): "its group"
        case (false, true): "others"
        case (false, false): nil
        }
    }
}
