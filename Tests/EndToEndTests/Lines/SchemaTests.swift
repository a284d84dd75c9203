import Foundation
import Testing

extension EndToEnd {
    /// The schemas, checked by an independent validator.
    @Suite(.serialized) struct SchemaTests {
        @Test(
            .enabled(if: Machine.hasSchemaValidator, "no python3-jsonschema"),
            arguments: ["events", "hook-input", "log", "targets", "validation", "dashboard"]
        )
        func `each schema is valid by draft 2020-12`(_ name: String) throws {
            let folder = URL(filePath: #filePath).appending(path: "../../../../Schemas").standardized.path
            let script = """
                import json, sys, jsonschema
                schema = json.load(open(sys.argv[1]))
                jsonschema.Draft202012Validator.check_schema(schema)
                # A dangling reference is an error only when an instance is validated.
                for type in list(schema["$defs"]) or [""]:
                    list(jsonschema.Draft202012Validator(schema).iter_errors({"type": type}))
                print("valid")
                """
            let tool = try Tool.run(
                ["/usr/bin/python3", "-c", script, "\(folder)/\(name).schema.json"],
                in: "/tmp"
            )
            #expect(tool.output == "valid\n", "\(tool.errors)")
        }
    }
}
