import ArgumentParser
import ReachMonitoring

/// The parts of the page that are written by hand, since no definition contains them.
extension ManualPage {
    static var description: [String] {
        [".Nm"]
            + Mdoc.paragraph(
                "shows what answers on your network, and runs your command when something answers again."
            )
            + Mdoc.paragraph(
                """
                Targets come from a settings file or from the command line, and are probed at intervals. A target that \
                replies is up; it is down after several losses in a row. The dashboard shows health, round trips and events \
                on the whole terminal. watch prints a line for each change, check probes once, path shows the \
                routers on the way, and wait and fetch are for scripts.
                """
            )
            + Mdoc.paragraph(
                """
                While a target is down, it is probed every second for ten minutes, so that its recovery is detected within a second, \
                and then at its normal interval again. down_interval in the settings sets another time. A command of exec: \
                keeps its interval. All targets that are down together get at most 1,000 additional probes a second.
                """
            )
            + Mdoc.paragraph(
                """
                A target that is down or about to be is also probed at once, at most once a second, when a link or a route of \
                this machine changes, when another target on the same address answers again, and on Linux when its host \
                sends ARP or NDP.
                """
            )
            + Mdoc.literal(Reach.configuration.usage ?? "")
    }

    static var targets: [String] {
        Mdoc.paragraph(
            """
            On the command line, a target is one of these URLs, HOST for icmp://HOST, HOST:PORT or [IPv6]:PORT for tcp://, \
            each after NAME= if it has a name, @NAME, @group:NAME or @tag:TAG for targets of the settings, or - for those on \
            standard input, one a line. The file that reach init writes explains the options of each method.
            """
        )
            + Mdoc.list(
                Method.settable.map { (term: "Ar " + Mdoc.argument(form(of: $0).url), text: form(of: $0).meaning) }
            )
            + Mdoc.paragraph(
                """
                A probe of a name with several addresses is lost only after all of them were tried. Connections try the next \
                address after 250 ms, or at once after a failure (RFC 8305). An ICMP, UDP or DNS probe that fails continues \
                with the next address, and the loss that would make the target down waits until each address has lost a probe. \
                The address that answered is kept while it answers. With addresses = "each", every address has a row, as soon as \
                the name is resolved. A loss at an address that a name no longer resolves to does not count: the probe is sent \
                to the new address. While the interface of fe80::1%eth0 does not exist, the reason is no_route.
                """
            )
            + Mdoc.paragraph(
                """
                Without body, an HTTP probe ends with the head of the response. The pattern of expect is searched in the first \
                4 KiB. $ matches at the end of the answer: where the peer closes, after 4 KiB, or at the timeout. A pattern \
                whose search does not end is a fault of the targets that use it. The file of ca is read again when it has \
                changed, and at a reload.
                """
            )
    }

    private static func form(of method: Method) -> (url: String, meaning: String) {
        switch method {
        case .icmp: ("icmp://HOST", "The host replies to an echo request.")
        case .tcp: ("tcp://HOST:PORT", "The peer accepts a connection, which is closed again.")
        case .session: ("session://HOST:PORT", "The peer accepts a connection, which is held open.")
        case .tls: ("tls://HOST[:PORT]", "The handshake succeeds, and the certificate is valid.")
        case .http: ("http://HOST[:PORT]/PATH", "The response to a request is as expected.")
        case .https: ("https://HOST[:PORT]/PATH", "The same over TLS.")
        case .dns: ("dns://SERVER[:PORT]/NAME?type=A", "The answer to a query is as expected; SERVER may be system.")
        case .udp: ("udp://HOST:PORT", "The peer replies to a datagram.")
        case .redis: ("redis://[[USER]:PASSWORD@]HOST[:PORT][/NUMBER]", "Redis answers PING.")
        case .rediss: ("rediss://HOST[:PORT]", "The same over TLS.")
        case .postgres:
            (
                "postgres://[USER[:PASSWORD]@]HOST[:PORT][/NAME]",
                "PostgreSQL accepts a client; with a user, it accepts the login."
            )
        case .mysql: ("mysql://HOST[:PORT]", "MySQL or MariaDB accepts a client.")
        case .link: ("link:any", "An outbound interface is up; with a name instead of any, that interface is up.")
        case .route: ("route://HOST", "There is a route to the host; nothing is sent.")
        case .exec: ("exec:", "A command of the settings exits with 0 for up, 1 for down, 2 for degraded.")
        case .fleet: ("fleet:INSTANCE", "Other programs probe the target, which is read from a Prometheus.")
        }
    }

    static var health: [String] {
        Mdoc.paragraph(
            """
            A target is up after its first reply, down after fall losses in a row (default: 3), and up again after rise \
            replies in a row (default: 1). Losses and replies are ordered by the time at which their probes were sent: a loss \
            of a probe that was sent before the newest answered one counts as a loss, but not toward down.
            """
        )
            + Mdoc.paragraph(
                """
                An outage begins when its first lost probe was sent and ends with the first reply: on the screen, in JSON, for \
                hooks and in the availability. Lines and events have the time of the verdict, which is later.
                """
            )
            + Mdoc.paragraph(
                """
                A target that cannot be probed, because its source interface is gone or its CA file cannot be read, is not down. \
                After fall faults in a row its health is unknown, and hooks for fault and change run, with a reason such as \
                no_source, no_authorities, no_certificate or local_filter. When it can be probed again, hooks for change run, and those for up and down only \
                if the health is not the one before the faults.
                """
            )
            + Mdoc.paragraph(
                """
                A target is flapping from 30 % of the possible changes of health until 20 %, by the formula of Nagios over its \
                last 21 verdicts or ten minutes, whichever is longer. Hooks for its health wait until it is no longer flapping.
                """
            )
    }

    static var hooks: [String] {
        Mdoc.paragraph(
            """
            A command of the settings, or one that was armed with the key x, runs when the health of its target changes. It \
            receives a JSON object on standard input, and these environment variables, empty if they do not apply:
            """
        ) + [".Pp"]
            + Webhook.fields.enumerated().map { index, name in
                ".Ev \(name)" + (index == Webhook.fields.count - 1 ? " ." : " ,")
            }
            + Mdoc.paragraph(
                """
                A command inherits no capabilities, descriptors or blocked signals of reach, and ignores the signals that were \
                ignored when reach started. A waiting run is dropped when the target changes back, and replaced when its rule \
                fires again, so that the last report is the current state. A cooldown applies to one event. If the health at \
                its end differs from the last report, it is reported then.
                """
            )
            + Mdoc.paragraph(
                """
                Of the processes with the same settings on a machine, one runs the hooks: the first, or one with --hooks. The \
                others say so, and take over when it ends. With --no-hooks, a process runs none. Armed commands run where they \
                were armed.
                """
            )
            + Mdoc.paragraph(
                """
                On exit, running commands are ended and waiting ones dropped. A reload that removes a target lets its running \
                commands finish and drops the waiting ones. Both are reported. Settings with commands are refused if other \
                users can write the file or a folder above it.
                """
            )
    }

    /// The section on secrets, which are never written to logs and pages.
    static var secrets: [String] {
        Mdoc.paragraph(
            """
            The pages of --listen, the log and everything that watch writes contain no query string and no user info of a URL, \
            and no values that the settings take from the environment: ${NAME} is shown instead, as in the settings. In \
            details, values of at least four bytes are replaced. The screen, its pictures, check, wait, fetch and the input of \
            hooks contain the values themselves. A redirect to another scheme, host or port carries no header field of the \
            settings or the command line. On a loopback address, --listen answers 421 to a Host other than localhost or a \
            loopback address.
            """
        )
    }

    static let environment: KeyValuePairs = [
        "REACH_CONFIG": "The settings file, without --config.",
        "NO_COLOR": "If it is not empty, no colours are used.",
        "TERM, COLORTERM, COLORFGBG": "The type of the terminal and its number of colours.",
        "LC_ALL, LC_CTYPE, LANG": "The locale; without UTF-8, only ASCII characters are used.",
        "XDG_CONFIG_HOME, XDG_STATE_HOME":
            "The folders of settings and history (default: ~/.config and ~/.local/state).",
        "http_proxy, https_proxy, all_proxy, no_proxy": "The proxies of fetch, as in curl.",
        "SSL_CERT_FILE, SSL_CERT_DIR":
            "The trusted certificates, instead of those of the system: a file, and folders with colons between them.",
        "NOTIFY_SOCKET, WATCHDOG_USEC": "The notification socket and watchdog timeout of systemd, for watch.",
        "JOURNAL_STREAM": "If it names standard error, each line there has a priority for the journal of systemd.",
    ]

    static let files: KeyValuePairs = [
        "./dashboard.toml": "The settings, without --config and REACH_CONFIG.",
        "~/.config/reach/dashboard.toml": "The settings, if ./dashboard.toml does not exist.",
        "~/.local/state/reach/history":
            "Filters and commands that were typed; one that begins with a blank is not saved.",
        "~/.local/state/reach/history.sqlite":
            "The history: events, figures of minutes and hours, samples of the last hour.",
        "/etc/reach/dashboard.toml": "The settings of the systemd service reach.service.",
        "/etc/reach/environment": "Secrets of the service, as NAME=value, for ${NAME} in its settings.",
    ]

    static let statuses: KeyValuePairs = [
        "0":
            "Success: all targets are up (check), reached (wait, path), fetched (fetch), no problem (validate, doctor).",
        "1":
            "Failure: a target is down, problems were found, a hook failed, or something could not be fetched or written.",
        "2": "Usage error, unreadable settings, or too few resources to run.",
        "3": "A target cannot be probed, and none is down (check), or none of the missing ones can be (wait).",
        "124": "Timeout of --within.",
        "126": "The command of wait cannot be run.",
        "127": "The command of wait was not found.",
        "128+n": "Ended by signal n.",
    ]

    static let relatives = [
        ".Xr curl 1 ,", ".Xr systemctl 1 ,", ".Xr timeout 1 ,", ".Xr systemd.service 5 ,", ".Xr ping 8",
    ]
}
