import ArgumentParser
import Foundation
import Monitoring
import Reporting

extension WaitCommand {
    /// Returns the problem with a command line whose command is not after `--`, so that its words would be targets; nil
    /// for another command line.
    ///
    /// - Parameter isProgram: whether a program has this name or path.
    static func missingDashes(
        in arguments: [String],
        isProgram: (String) -> Bool = { $0.isProgram(path: ProcessInfo.processInfo.environment["PATH"] ?? "") }
    ) -> String? {
        guard arguments.first == configuration.commandName, normalized(arguments) == arguments,
            !arguments.contains("--\(commandName)")
        else { return nil }
        // The words before it must be a valid command line with a target: the word is no value of an option.
        let index = arguments.indices.dropFirst(2).first { index in
            guard isProgram(arguments[index]) else { return false }
            return (try? Reach.parseAsRoot(Array(arguments[..<index]))) is WaitCommand
        }
        guard let index else { return nil }
        let words = arguments.map(\.shellWord)
        let fixed = (["reach"] + words[..<index] + ["--"] + words[index...]).joined(separator: " ")
        let host = arguments[index].contains("/") ? "" : " For a host of this name, use icmp://\(arguments[index])"
        return "the command \"\(arguments[index])\" is not after \"--\" – did you mean \"\(fixed)\"?\(host)".printable
    }
}

extension String {
    /// Whether this is the path of an executable file, or the name of one in a folder of `PATH`. A target is neither.
    fileprivate func isProgram(path: String) -> Bool {
        guard !isEmpty, !hasPrefix("-"), !hasPrefix("@"), !contains(":") else { return false }
        let files = contains("/") ? [self] : path.split(separator: ":").map { "\($0)/\(self)" }
        return files.contains { file in
            var isFolder: ObjCBool = false
            let manager = FileManager.default
            return manager.isExecutableFile(atPath: file) && manager.fileExists(atPath: file, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// The word as a shell reads it.
    var shellWord: String {
        let isPlain = !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=@%+,".contains($0)) }
        return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
