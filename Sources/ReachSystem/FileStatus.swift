extension stat {
    /// Reads the status of the file that a path leads to; nil with the reason in `errno` if that fails.
    package init?(at path: String) {
        self.init()
        guard stat(path, &self) == 0 else { return nil }
    }

    /// Reads the status of an open file.
    package init?(of descriptor: Int32) {
        self.init()
        guard fstat(descriptor, &self) == 0 else { return nil }
    }

    /// Whether it is a regular file: no folder, pipe or device.
    package var isRegular: Bool { st_mode & S_IFMT == S_IFREG }

    /// Whether it is a folder.
    package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}

/// The numbers that identify a file while it exists: its device and its inode.
package struct FileNumber: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64

    /// The numbers of an open file.
    package init?(of descriptor: Int32) {
        guard let status = stat(of: descriptor) else { return nil }
        self.init(status)
    }

    /// The numbers of the file that a path leads to.
    package init?(at path: String) {
        guard let status = stat(at: path) else { return nil }
        self.init(status)
    }

    /// The numbers in what `stat` returned.
    package init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// Identity, size and time of a file, which change whenever the file is written or replaced.
package struct FileSignature: Sendable, Hashable {
    private let number: FileNumber
    private let size: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    /// Reads the signature of a file; nil if there is none.
    package init?(at path: String) {
        guard let status = stat(at: path) else { return nil }
        number = FileNumber(status)
        size = Int64(status.st_size)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        seconds = Int64(time.tv_sec)
        nanoseconds = Int64(time.tv_nsec)
    }
}
