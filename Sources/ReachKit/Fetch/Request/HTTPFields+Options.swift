#if Fetch
package import HTTPTypes
package import Monitoring

extension HTTPFields {
    /// The value of the first field of this name. Field names are case-insensitive.
    package subscript(name: String) -> String? {
        HTTPField.Name(name).flatMap { self[values: $0].first }
    }

    /// The fields of a probe or a webhook. Those with an invalid name are dropped.
    package init(_ options: [HTTPOptions.Header]) {
        self.init(
            options.compactMap { header in
                HTTPField.Name(header.name).map { HTTPField(name: $0, value: header.value) }
            }
        )
    }

    /// The same fields, for the rules of redirects.
    var options: [HTTPOptions.Header] {
        map { HTTPOptions.Header(name: $0.name.rawName, value: $0.value) }
    }
}
#endif
