import SettingsFile
import Testing

struct LookupTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `the file is looked for in the order that the manual says`() throws {
        let home = try folder.write("", to: "home/.config/reach/dashboard.toml")
        var environment = ["HOME": "\(folder.path)/home"]
        #expect(try locate(environment: environment) == home)

        let standard = try folder.write("", to: "xdg/reach/dashboard.toml")
        environment["XDG_CONFIG_HOME"] = "\(folder.path)/xdg"
        #expect(try locate(environment: environment) == standard)

        let here = try folder.write("", to: "here/dashboard.toml")
        #expect(try locate(environment: environment) == here)

        let variable = try folder.write("", to: "variable.toml")
        environment["REACH_CONFIG"] = variable
        #expect(try locate(environment: environment) == variable)

        let option = try folder.write("", to: "option.toml")
        #expect(try locate(config: option, environment: environment) == option)
    }

    @Test func `a named file that is missing is an error, even if there are others`() throws {
        try folder.write("", to: "here/dashboard.toml")
        #expect(failure(config: "none.toml") == "none.toml: no such file – --config names it")
        #expect(failure(environment: ["REACH_CONFIG": "/none"]) == "/none: no such file – $REACH_CONFIG names it")
        #expect(failure(config: "") == "--config names no file – such as --config dashboard.toml")
    }

    @Test func `an empty variable names nothing`() throws {
        let here = try folder.write("", to: "here/dashboard.toml")
        #expect(try locate(environment: ["REACH_CONFIG": "", "XDG_CONFIG_HOME": "", "HOME": ""]) == here)
    }

    @Test func `no file at all is an error that says where it looked and what to do`() {
        #expect(
            failure(environment: ["HOME": "/none", "XDG_CONFIG_HOME": "relative"])
                == "no settings file: looked for \(folder.path)/here/dashboard.toml, then "
                + "/none/.config/reach/dashboard.toml – reach init writes one, reach 192.0.2.1 needs none, "
                + "--config FILE names one"
        )
    }

    @Test func `the current directory is not spelt out`() {
        let line = failureOfCurrentDirectory()
        #expect(line == nil || line?.hasPrefix("no settings file: looked for dashboard.toml, then /none/") == true)
    }

    private func locate(config: String? = nil, environment: [String: String] = [:]) throws -> String {
        try SettingsFile.locate(
            config: config,
            environment: environment,
            currentDirectory: "\(folder.path)/here"
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
