# Who was not there at the start is away since then, not since we were sure of it.
target NAS hook=up within=10s
NAS xxx xxxxxxx r
  3s  NAS unknown→down
  11s  NAS down→up
  11s  NAS skips up: not reachable within 10s
