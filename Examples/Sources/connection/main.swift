// Print the states of a connection.
//
//     connection HOST PORT
//
// Prints a line for each state until it is interrupted. The session reconnects after each end of the connection. Exits
// with status 2 if the host is invalid.
import Foundation
import ReachKit

let arguments = CommandLine.arguments.dropFirst()
guard let host = arguments.first, let port = arguments.dropFirst().first.flatMap({ UInt16($0) }) else {
    print("usage: connection HOST PORT")
    exit(64)
}

do {
    let session = try Session(to: host, port: port)
    for await state in session.states {
        FileHandle.standardOutput.write(Data("\(state)\n".utf8))
    }
} catch {
    print(error)
    exit(2)
}
