# Up only after the limit: the rule is skipped, and that is reported; the next outage counts anew.
target NAS hook=up within=10s
NAS r xxx xxxxxxxxxx x r
  1s  NAS unknown→up
  4s  NAS up→down
  16s  NAS down→up
  16s  NAS skips up: not reachable within 10s
NAS xxx r
  19s  NAS up→down
  20s  NAS down→up
  20s  hook up of NAS (down→up)
