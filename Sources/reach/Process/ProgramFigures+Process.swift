import Foundation
import LibC
import Probing
import Reporting

extension ProgramFigures {
    /// Measures the process: its processor time, memory and file descriptors. Memory and descriptors are those of `/proc`,
    /// which only Linux has; elsewhere they stay nil.
    mutating func measureProcess() {
        var usage = rusage()
        // RUSAGE_SELF, whose type differs between C libraries.
        let result = getrusage(0, &usage)
        processorTime = result == 0 ? Duration(usage.ru_utime) + Duration(usage.ru_stime) : nil
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

extension Duration {
    fileprivate init(_ time: timeval) {
        self = .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }
}
