import Foundation

/// Certificates that are valid from 2020 to 2119, always the same: an input that follows from its number needs them so.
enum FuzzCertificates {
    /// An authority that is trusted.
    static let root = der(
        """
        MIIBZDCCAQqgAwIBAgIUN8je87AMM48OdA8bqhusOZa/zsswCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEUm9vdDAgFw0yMDAxMDEwMDAwMDBa\
        GA8yMTIwMDEwMTAwMDAwMFowDzENMAsGA1UEAwwEUm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIDM8gprvX8NTG0p6nd12M3rF84S\
        G2YmnS4LF1LpMFfr1Dfn+LVUDhEJ1zcGdCZaf5J4T8WNJtDG4LRjGeSzeWajQjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIE\
        MB0GA1UdDgQWBBQCbW1PzbXLOJB8oJBymngt/CRilTAKBggqhkjOPQQDAgNIADBFAiBMeIttvq9+73qS+D6qltG3NnHQG1F4gnhOUxvQYBpu\
        WwIhAJedDpxuX82G03K70ifMh57itVMahTR/DtIrQAtWe1pt
        """
    )
    /// An authority under it, for names under `example` only.
    static let middle = der(
        """
        MIIBwzCCAWmgAwIBAgIUCO5jjE4+DKfqC7FOWJlTX/rzA40wCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEUm9vdDAgFw0yMDAxMDEwMDAwMDBa\
        GA8yMTIwMDEwMTAwMDAwMFowMjEPMA0GA1UEAwwGTWlkZGxlMRIwEAYDVQQKDAlNaWRkbGUgw7wxCzAJBgNVBAYTAkRFMFkwEwYHKoZIzj0C\
        AQYIKoZIzj0DAQcDQgAE1HHVt1VkRFozL8t/t8FyRDq33BF2O0kVPvZ2Q4XtysCvUHhy5UEORpzYmEK3MK7LBXQNOwh9qC3+gTknO5fgs6N+\
        MHwwEgYDVR0TAQH/BAgwBgEB/wIBADAOBgNVHQ8BAf8EBAMCAgQwFgYDVR0eBA8wDaALMAmCB2V4YW1wbGUwHQYDVR0OBBYEFHHofEQ65tsN\
        olNnvw2OLL+eCxjOMB8GA1UdIwQYMBaAFAJtbU/Ntcs4kHygkHKaeC38JGKVMAoGCCqGSM49BAMCA0gAMEUCIQCfYchxhtr8A1KxOtbNz7z9\
        W/7dRDaxfZ5U0nT1AEYGuAIgHqIaerea0k7dJMGSUPD4zw3z/Xek0p7wc8CNy88iJUU=
        """
    )
    /// A server's under that, for `good.example`, `*.wild.example`, 192.0.2.7 and 2001:db8::7.
    static let server = der(
        """
        MIICZzCCAg2gAwIBAgIUTkqF6HrGOamN0jiK+SApI3+6CRcwCgYIKoZIzj0EAwIwMjEPMA0GA1UEAwwGTWlkZGxlMRIwEAYDVQQKDAlNaWRk\
        bGUgw7wxCzAJBgNVBAYTAkRFMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAXMRUwEwYDVQQDDAxnb29kLmV4YW1wbGUwWTAT\
        BgcqhkjOPQIBBggqhkjOPQMBBwNCAAQA3o/SMV79JnTSUEkajlEw+i//d0hb3I7RKYztqt8bspuPRl/WuHaBrf5NFB+tRme7mW2XRBX4UCFE\
        Jkl8TeVKo4IBGDCCARQwDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEwXwYDVR0RBFgwVoIMZ29v\
        ZC5leGFtcGxlgg4qLndpbGQuZXhhbXBsZYcEwAACB4cQIAENuAAAAAAAAAAAAAAAB4ELYUBiLmV4YW1wbGWGEWh0dHA6Ly91LmV4YW1wbGUv\
        MBAGA1UdIAQJMAcwBQYDKgMEMCwGCCsGAQUFBwEBBCAwHjAcBggrBgEFBQcwAYYQaHR0cDovL28uZXhhbXBsZTAdBgNVHQ4EFgQUt9CJgGBw\
        s/8ReD+lRapZ9lkkvsEwHwYDVR0jBBgwFoAUceh8RDrm2w2iU2e/DY4sv54LGM4wCgYIKoZIzj0EAwIDSAAwRQIhAOwnCMiBox4ZoeZmsUEH\
        RviqflxHedYDKJM85q9cHw7kAiAwMI6ZABN50zqkbV72qJv+IJK6gR0++PU6nbwwlufRjQ==
        """
    )
    /// The same server's, under the root itself.
    static let direct = der(
        """
        MIICQjCCAeqgAwIBAgIUHW4HOKCZiWZQpH1aPOQ8/pDNxrEwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEUm9vdDAgFw0yMDAxMDEwMDAwMDBa\
        GA8yMTIwMDEwMTAwMDAwMFowFzEVMBMGA1UEAwwMZ29vZC5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEAN6P0jFe/SZ00lBJ\
        Go5RMPov/3dIW9yO0SmM7arfG7Kbj0Zf1rh2ga3+TRQfrUZnu5ltl0QV+FAhRCZJfE3lSqOCARgwggEUMAwGA1UdEwEB/wQCMAAwDgYDVR0P\
        AQH/BAQDAgeAMBMGA1UdJQQMMAoGCCsGAQUFBwMBMF8GA1UdEQRYMFaCDGdvb2QuZXhhbXBsZYIOKi53aWxkLmV4YW1wbGWHBMAAAgeHECAB\
        DbgAAAAAAAAAAAAAAAeBC2FAYi5leGFtcGxlhhFodHRwOi8vdS5leGFtcGxlLzAQBgNVHSAECTAHMAUGAyoDBDAsBggrBgEFBQcBAQQgMB4w\
        HAYIKwYBBQUHMAGGEGh0dHA6Ly9vLmV4YW1wbGUwHQYDVR0OBBYEFLfQiYBgcLP/EXg/pUWqWfZZJL7BMB8GA1UdIwQYMBaAFAJtbU/Ntcs4\
        kHygkHKaeC38JGKVMAoGCCqGSM49BAMCA0YAMEMCHyD+xGHdMYdbbSZ07Nq8C/UVYAX7YoNBqxTp1CgEhxwCIF56+wvIr1gU0mF4A6UNAzBJ\
        2QsTJwjxnSmTEEe0B5yU
        """
    )
    /// One with an RSA key that signed itself, without alternative names.
    static let selfSigned = der(
        """
        MIIB/TCCAWagAwIBAgIUPVpxEuvy12rg2QT4JieoW8vEgQgwDQYJKoZIhvcNAQELBQAwIzEVMBMGA1UEAwwMc2VsZi5leGFtcGxlMQowCAYD\
        VQQKDAF4MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAjMRUwEwYDVQQDDAxzZWxmLmV4YW1wbGUxCjAIBgNVBAoMAXgwgZ8w\
        DQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAN2K3KCTfP8NEbghDp4T8x5+ojMbDRLvB4+l4cKx8u2kzzssNj488oN9eDlTOvLkzMCOlrVeMFSv\
        ZnbL+wXVr6o7aMrHHKqNSe1en1c/mw0C1cSvt7mahha8ZLf3pUXjihCOrlf5wFiFsHImr2GNOG1n7+zPRuylIPfKRtoPBACbAgMBAAGjLDAq\
        MAkGA1UdEwQCMAAwHQYDVR0OBBYEFMUrf+CF4HFkfNedfsS5W6R+/vCvMA0GCSqGSIb3DQEBCwUAA4GBAHtrzOf9y6A4YAX5Sbwkyl7tiaVv\
        qjQNc7fYhkw7A8GIbAbl0f7bnPCHEhLWhFQlzDUAGw2okCxLYoepbfYhFrO46g49GJXG4zNH402ymLtqcAx669bfc3oms/pg7ZVmBE+Wp3BR\
        pX+eNoWhcpeeEO6duGa+8MO7zp83RYLQCZ5G
        """
    )

    private static func der(_ text: String) -> [UInt8] {
        Data(base64Encoded: text).map { Array($0) } ?? []
    }
}
