# A report that a cooldown defers is not due while the target is acknowledged; the next one runs as usual.
target NAS fall=1 hook=up+down.unless_acknowledged cooldown=20s
NAS r x r x
  1s  NAS unknown→up
  2s  NAS up→down
  2s  hook down of NAS (up→down)
  3s  NAS down→up
  3s  hook up of NAS (down→up)
  4s  NAS up→down
  4s  NAS skips up+down.unless_acknowledged: cooling down for another 18s
acknowledge NAS
  4s  NAS acknowledged: known
wait 30s
  34s  NAS skips up+down.unless_acknowledged: the target is acknowledged
NAS r
  35s  NAS down→up
  35s  NAS skips up+down.unless_acknowledged: the target is acknowledged
  35s  NAS acknowledgement ended: up again
wait 30s
NAS x
  1m06s  NAS up→down
  1m06s  hook down of NAS (up→down)
