# A recovery with slow replies is degraded, and the hook for up runs.
target NAS slow=500ms rise=3 hook=up
NAS r x x x s s s
  1s  NAS unknown→up
  4s  NAS up→down
  7s  NAS down→degraded
  7s  hook up of NAS (down→degraded)
show NAS
  NAS: degraded, for 2s, availability 50%, 1 outage, 7 samples
