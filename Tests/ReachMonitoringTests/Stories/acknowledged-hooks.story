# Only rules with unless_acknowledged do not run, up to the recovery that ends the acknowledgement.
target NAS slow=500ms hook=up+down.unless_acknowledged hook=change
NAS r x x x
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  4s  hook change of NAS (up→down)
acknowledge NAS
  4s  NAS acknowledged: known
NAS s s s r r r
  5s  NAS down→degraded
  5s  NAS skips up+down.unless_acknowledged: the target is acknowledged
  5s  hook change of NAS (down→degraded)
  10s  NAS degraded→up
  10s  NAS acknowledgement ended: up again
  10s  hook change of NAS (degraded→up)
NAS x x x r
  13s  NAS up→down
  13s  hook down of NAS (up→down)
  13s  hook change of NAS (up→down)
  14s  NAS down→up
  14s  hook up of NAS (down→up)
  14s  hook change of NAS (down→up)
