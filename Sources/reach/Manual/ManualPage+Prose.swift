import ArgumentParser
import Monitoring

/// What no definition says: the parts of the page that are written by hand.
extension ManualPage {
    static var description: [String] {
        [".Nm"]
            + Mdoc.paragraph(
                "shows what answers and what does not, and runs your command the moment something answers again."
            )
            + Mdoc.paragraph(
                """
                A settings file names targets, or the command line does; each is asked again and again; what answers is \
                up, and what does not is down after some losses in a row. The dashboard shows health, round trips and \
                events on the whole terminal; watch prints a line for each change; check asks once; wait and fetch are \
                for scripts.
                """
            )
            + Mdoc.paragraph(
                """
                While a target is down, it is probed every second for ten minutes, so that its recovery is seen at once, and \
                then every interval again; down_interval in the settings sets another time. A command of exec: keeps its \
                interval. All targets that are down together get at most 1,000 additional probes a second.
                """
            )
            + Mdoc.paragraph(
                """
                A target that is down or about to be is also probed at once, at most once a second, when a link or a route of \
                this machine changes, when another target on the same address answers again, and on Linux when its host is \
                heard by ARP or NDP.
                """
            )
            + Mdoc.literal(Reach.configuration.usage ?? "")
    }

    static var targets: [String] {
        Mdoc.paragraph(
            """
            On the command line a target is one of these URLs, a HOST alone for icmp://HOST, HOST:PORT or [IPv6]:PORT for \
            tcp://, or @NAME and @group:NAME for what stands in the settings. Options of each are explained in the file that \
            reach init writes.
            """
        )
            + Mdoc.list(
                Method.allCases.map { (term: "Ar " + Mdoc.argument(form(of: $0).url), text: form(of: $0).meaning) }
            )
            + Mdoc.paragraph(
                """
                A probe of a name with several addresses is lost only after all of them were tried: connections try the next \
                one after 250 ms, or at once after a failure (RFC 8305); an ICMP, UDP or DNS probe that fails goes on to the \
                next one, and the loss that would take the target down waits until each address has lost a probe. The address \
                that answered is kept while it answers. With addresses = "each", every address has a row, as soon as the name is \
                resolved. A loss at an address that a name no longer stands for does not count: the probe is sent to the new \
                one. The interface of fe80::1%eth0 may come and go: without it there is no_route.
                """
            )
            + Mdoc.paragraph(
                """
                Without body, an HTTP probe ends with the head of the answer. The pattern of expect is searched in the first \
                4 KiB; $ matches at the end of the answer: where the peer closes, after 4 KiB, or at the timeout. A pattern \
                whose search does not end is a fault of its own targets. The file of ca is read again when it has changed, \
                and at a reload.
                """
            )
    }

    private static func form(of method: Method) -> (url: String, meaning: String) {
        switch method {
        case .icmp: ("icmp://HOST", "An echo request is answered.")
        case .tcp: ("tcp://HOST:PORT", "A connection is accepted, and closed again.")
        case .session: ("session://HOST:PORT", "A connection is accepted, and held.")
        case .tls: ("tls://HOST[:PORT]", "A handshake succeeds, and the certificate is good.")
        case .http: ("http://HOST[:PORT]/PATH", "A request has the expected answer.")
        case .https: ("https://HOST[:PORT]/PATH", "The same over TLS.")
        case .dns: ("dns://SERVER[:PORT]/NAME?type=A", "A query has the expected answer; the server may be system.")
        case .udp: ("udp://HOST:PORT", "A datagram is answered.")
        case .link: ("link:any", "Some interface leads out; with a name for any, that interface is up.")
        case .route: ("route://HOST", "A packet could leave for the host.")
        case .exec: ("exec:", "A command in the settings exits with 0 for up, 1 for down, 2 for degraded.")
        }
    }

    static var health: [String] {
        Mdoc.paragraph(
            """
            A target is up after its first reply, down after fall losses in a row (3), and up again after rise replies in \
            a row (1). Losses and replies are put in the order in which their probes were sent: a probe that was sent \
            before the newest answered one counts as lost, but not toward down.
            """
        )
            + Mdoc.paragraph(
                """
                An outage begins when its first lost probe was sent and ends with the first reply, on the screen, in JSON, for \
                hooks and in the availability. Lines and events bear the time of the verdict, which comes later.
                """
            )
            + Mdoc.paragraph(
                """
                A target that cannot be probed, because its source interface is gone or its CA file cannot be read, is not down. \
                After fall faults in a row its health is unknown, and hooks for fault and change run, with a reason such as \
                no_source or no_authorities. When it can be probed again, hooks for change run, and those for up and down only \
                if the health is not the one before the faults.
                """
            )
            + Mdoc.paragraph(
                """
                A target is flapping, by the formula of Nagios over its last 21 verdicts or ten minutes, whichever is longer, \
                from 30 % of the possible changes until 20 %. Hooks for its health wait until then.
                """
            )
    }

    static var hooks: [String] {
        Mdoc.paragraph(
            """
            A command of the settings, or one that was armed with the key x, runs when the health of its target changes. It \
            gets a JSON object on standard input, and these variables, empty where they do not apply:
            """
        ) + [".Pp"]
            + Webhook.fields.enumerated().map { index, name in
                ".Ev \(name)" + (index == Webhook.fields.count - 1 ? " ." : " ,")
            }
            + Mdoc.paragraph(
                """
                It has none of the capabilities, descriptors and blocked signals of reach, and ignores the signals that reach \
                was started with ignored. A run that waits is dropped when the target has changed back, and replaced when its \
                rule fires anew, so that the state reported last is the present one. A cooldown is that of one event; when it \
                ends and the health is not the one reported last, that is reported then.
                """
            )
            + Mdoc.paragraph(
                """
                Quitting ends the commands that run and drops those that wait; a reload that removes a target lets its \
                commands end and drops those that wait. Both are reported. Settings with commands are refused where others can \
                write the file or a folder above it.
                """
            )
    }

    /// What is not written for others.
    static var secrets: [String] {
        Mdoc.paragraph(
            """
            The pages of --listen, the log and everything that watch writes contain no query string and no user info of a URL, \
            and nothing that the settings take from the environment: ${NAME} stands there as in the settings. In details, \
            values of at least four bytes are replaced. The screen, its pictures, check, wait, fetch and what hooks receive \
            show the values themselves. A redirect to another scheme, host or port carries no header field of the settings or \
            the command line. On a loopback address, --listen answers 421 to a Host other than localhost or a loopback address.
            """
        )
    }

    static let environment: KeyValuePairs = [
        "REACH_CONFIG": "The settings file, where --config names none.",
        "NO_COLOR": "With any value, nothing is coloured.",
        "TERM, COLORTERM, COLORFGBG": "What the terminal is, and how many colours it has.",
        "LC_ALL, LC_CTYPE, LANG": "Whether the terminal draws more than ASCII.",
        "XDG_CONFIG_HOME, XDG_STATE_HOME": "Where settings and history are, in place of ~/.config and ~/.local/state.",
        "http_proxy, https_proxy, all_proxy, no_proxy": "The proxies of fetch, as for curl.",
        "SSL_CERT_FILE": "Whom to trust, in place of the system's certificates.",
        "NOTIFY_SOCKET, WATCHDOG_USEC": "Where systemd is told that watch is ready and alive.",
    ]

    static let files: KeyValuePairs = [
        "./dashboard.toml": "The settings, where neither --config nor REACH_CONFIG names others.",
        "~/.config/reach/dashboard.toml": "The settings, where that one is not there either.",
        "~/.local/state/reach/history": "Filters and commands that were typed; a blank before one keeps it out.",
        "/etc/reach/dashboard.toml": "The settings of the systemd service, which is reach.service.",
        "/etc/reach/environment": "Secrets of the service, as NAME=value, for ${NAME} in its settings.",
    ]

    static let statuses: KeyValuePairs = [
        "0": "What was asked for holds: all are up (check), reached (wait), fetched (fetch), no problem.",
        "1": "It does not: a target is down, settings have problems, a hook failed, nothing could be fetched.",
        "2": "Usage, settings that cannot be read, or too few resources to run.",
        "124": "The time of --within ran out.",
        "126": "The command of wait cannot be run.",
        "127": "The command of wait is not there.",
        "128+n": "Ended by signal n.",
    ]

    static let relatives = [
        ".Xr curl 1 ,", ".Xr systemctl 1 ,", ".Xr timeout 1 ,", ".Xr systemd.service 5 ,", ".Xr ping 8",
    ]
}
