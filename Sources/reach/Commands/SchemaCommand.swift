import ArgumentParser
import SettingsFile

/// `reach schema`: writes the JSON Schema of the settings, which `Schemas/dashboard.schema.json` has.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Write the JSON Schema of the settings to standard output.",
        usage: "reach schema > dashboard.schema.json",
        shouldDisplay: false
    )

    func run() throws {
        let sample = SampleSettings.text(gateway: nil)
        try StandardStreams.write(SettingsSchema.text(sample: sample), isData: true)
    }
}
