/// The numbers that identify a file while it exists: its device and its inode.
package struct FileNumber: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64

    /// The numbers of an open file.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The numbers of the file that a path leads to.
    package init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The numbers in what `stat` returned.
    package init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
