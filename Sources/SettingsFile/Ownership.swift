/// Who may change a file, and so the commands in it, or a folder on the way to it, and so which file it is.
struct Ownership: Hashable {
    /// The number of the user that the file belongs to.
    let owner: UInt32
    /// The file's permission bits.
    let mode: UInt32
    /// The number of the user whose rights this program has.
    let user: UInt32
    /// Whether the file's group has no member but that user, as distributions set their users up: then its right to
    /// write is nobody else's, and a file that is made with their umask of 002 is as safe as any.
    var isPrivateGroup = false

    /// Why the commands of a file may be another's, and the command that mends it; nil if they are the user's or
    /// the administrator's. The rule is ssh's for its own settings, as
    /// Debian builds it.
    func problem(file: String) -> SettingsProblem? {
        let word = file.shellWord
        if owner != user, owner != 0 {
            return SettingsProblem(
                file: file,
                message: "the file has commands and belongs to another user (number \(owner))",
                hint: "chown \(user) \(word)"
            )
        }
        return writers.map { writers in
            SettingsProblem(
                file: file,
                message: "the file has commands and \(writers) can write it",
                hint: "chmod go-w \(word)"
            )
        }
    }

    /// Why another may put a file of their own in the place of a file with commands, by way of this folder above it; nil
    /// if only the user and the administrator may. The rule is that of sshd's `safe_path`, except for sticky folders such
    /// as `/tmp`: in these, an entry is replaced by its owner alone.
    func problem(file: String, folder: String) -> SettingsProblem? {
        if owner != user, owner != 0 {
            return SettingsProblem(
                file: file,
                message:
                    "the file has commands and is below \(folder), which belongs to another user (number \(owner))",
                hint: "move the file, or chown \(user) \(folder.shellWord)"
            )
        }
        guard mode & Self.sticky == 0, let writers else { return nil }
        return SettingsProblem(
            file: file,
            message: "the file has commands and \(writers) can write \(folder), above it",
            hint: "chmod go-w \(folder.shellWord)"
        )
    }

    private static let sticky: UInt32 = 0o1000

    /// Who can write besides the owner.
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
