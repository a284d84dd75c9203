import Monitoring
import Testing

@testable import SettingsFile

struct PrometheusSettingsTests {
    private func read(_ text: String) throws -> Settings {
        try SettingsReader(environment: [:]).read(text, file: "dashboard.toml").settings
    }
}
