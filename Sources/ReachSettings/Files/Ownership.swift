import ReachSystem

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

extension Ownership {
    /// The ownership in a file status, seen by the effective user of this process.
    init(_ status: stat) {
        let user = geteuid()
        self.init(
            owner: UInt32(status.st_uid),
            mode: UInt32(status.st_mode) & 0o7777,
            user: UInt32(user),
            // The user and group databases are read only if the group can write.
            isPrivateGroup: UInt32(status.st_mode) & 0o020 != 0 && Self.isPrivate(group: status.st_gid, of: user)
        )
    }

    /// Whether a group is private to a user: it is the user's primary group, has the user's name, lists no other
    /// member, and is the primary group of no other user. The group of root never is: systems grant it to others by
    /// other means.
    private static func isPrivate(group: gid_t, of user: uid_t) -> Bool {
        guard user != 0, let account = getpwuid(user), account.pointee.pw_gid == group,
            let accountName = account.pointee.pw_name
        else {
            return false
        }
        let name = String(cString: accountName)
        guard let entry = getgrgid(group), String(cString: entry.pointee.gr_name) == name else { return false }
        var member = entry.pointee.gr_mem
        while let pointer = member?.pointee {
            guard String(cString: pointer) == name else { return false }
            member = member?.successor()
        }
        return !isPrimary(group: group, ofOtherThan: user)
    }

    /// Whether this is the primary group of another user. The group database does not list such a member.
    private static func isPrimary(group: gid_t, ofOtherThan user: uid_t) -> Bool {
        setpwent()
        defer { endpwent() }
        while let account = getpwent() {
            if account.pointee.pw_gid == group, account.pointee.pw_uid != user { return true }
        }
        return false
    }
}

/// The directories above a file, up to the root. For a symbolic link, they include those above the file it points to.
struct ParentDirectories {
    /// The paths without symbolic links, the nearest first.
    let paths: [String]

    init(of path: String) {
        let nearest = [path.parentPath, path.resolvedPath?.parentPath].compactMap(\.self)
        var paths: [String] = []
        for start in nearest.compactMap(\.resolvedPath) {
            var directory = start
            while !paths.contains(directory) {
                paths.append(directory)
                directory = directory.parentPath
            }
        }
        self.paths = paths
    }

    /// Returns a problem if another user can replace the file; nil if only the user and root can.
    func problem(file: String) -> SettingsProblem? {
        for path in paths {
            // A directory without a status is skipped: the file below it could not be opened either.
            guard let status = stat(at: path) else { continue }
            if let problem = Ownership(status).problem(file: file, directory: path) { return problem }
        }
        return nil
    }
}
