import Foundation
import LibC
import Probing
import Reporting

extension ProgramFigures {
    /// Measures the process: its processor time, memory and file descriptors. Memory and descriptors are those of `/proc`,
    /// which only Linux has; elsewhere they stay nil.
    mutating func measureProcess() {
        // In microseconds on every system (POSIX). With static Swift libraries, the members of timeval, which getrusage
        // returns, belong to a module that cannot be imported.
        let used = Int64(truncatingIfNeeded: clock())
        processorTime = used >= 0 ? .microseconds(used) : nil
        // proc_pid_statm(5): the size and the resident set, in pages.
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        let pageSize = sysconf(CInt(_SC_PAGESIZE))
        virtualMemory = pages.flatMap { Int($0[0]) }.map { $0 * pageSize }
        residentMemory = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * pageSize }
        // The folder itself is open while it is read.
        openDescriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { $0.count - 1 }
        maximumDescriptors = Int(clamping: DescriptorLimit.current.soft)
    }
}
