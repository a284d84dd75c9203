import SettingsFile
import Testing

struct LookupTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `the file is searched in the documented order`() throws {
        let home = try directory.write("", to: "home/.config/reach/dashboard.toml")
        var environment = ["HOME": "\(directory.path)/home"]
        #expect(try locate(environment: environment) == home)

        let standard = try directory.write("", to: "xdg/reach/dashboard.toml")
        environment["XDG_CONFIG_HOME"] = "\(directory.path)/xdg"
        #expect(try locate(environment: environment) == standard)

        let here = try directory.write("", to: "here/dashboard.toml")
        #expect(try locate(environment: environment) == here)

        let variable = try directory.write("", to: "variable.toml")
        environment["REACH_CONFIG"] = variable
        #expect(try locate(environment: environment) == variable)

        let option = try directory.write("", to: "option.toml")
        #expect(try locate(config: option, environment: environment) == option)
    }

    @Test func `a missing named file is an error, even if others exist`() throws {
        try directory.write("", to: "here/dashboard.toml")
        #expect(failure(config: "none.toml") == "none.toml: no such file – check --config")
        #expect(failure(environment: ["REACH_CONFIG": "/none"]) == "/none: no such file – check $REACH_CONFIG")
        #expect(failure(config: "") == "--config: the file name is empty – such as dashboard.toml")
    }

    @Test func `an empty variable is ignored`() throws {
        let here = try directory.write("", to: "here/dashboard.toml")
        #expect(try locate(environment: ["REACH_CONFIG": "", "XDG_CONFIG_HOME": "", "HOME": ""]) == here)
    }

    @Test func `without a file, the error lists the places searched and the fixes`() {
        #expect(
            failure(environment: ["HOME": "/none", "XDG_CONFIG_HOME": "relative"])
                == "no settings file: looked for \(directory.path)/here/dashboard.toml, then "
                + "/none/.config/reach/dashboard.toml – run reach init to write one, pass --config FILE, "
                + "or name a target: reach 192.0.2.1"
        )
    }

    @Test func `the current directory is not part of the path`() {
        let line = failureOfCurrentDirectory()
        #expect(line == nil || line?.hasPrefix("no settings file: looked for dashboard.toml, then /none/") == true)
    }

    private func locate(config: String? = nil, environment: [String: String] = [:]) throws -> String {
        try SettingsFile.locate(
            config: config,
            environment: environment,
            currentDirectory: "\(directory.path)/here"
        ).path
    }

    private func failure(config: String? = nil, environment: [String: String] = [:]) -> String? {
        do {
            return try locate(config: config, environment: environment)
        } catch {
            return "\(error)"
        }
    }

    private func failureOfCurrentDirectory() -> String? {
        do {
            _ = try SettingsFile.locate(config: nil, environment: ["HOME": "/none"])
            return nil
        } catch {
            return error.description
        }
    }
}
