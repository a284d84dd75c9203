# An acknowledgement ends when the target is up again; a degraded target still fails.
target NAS slow=500ms
NAS r x x x
  1s  NAS unknown→up
  4s  NAS up→down
acknowledge NAS
  4s  NAS acknowledged: known
NAS s s s
  5s  NAS down→degraded
wait 10h
NAS r r r
  10h00m  NAS degraded→up
  10h00m  NAS acknowledgement ended: up again
NAS x x x
  10h00m  NAS up→down
