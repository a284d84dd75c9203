# No probe for a minute: the first reply comes later than the limit allows.
target NAS hook=up.start within=30s
NAS f
  1s  NAS fault permission
wait 1m
NAS r
  1m02s  NAS fault over
  1m02s  NAS unknown→up
  1m02s  NAS skips up.start: not reachable within 30s
