# A target that is down stays down: its replies before the stall no longer count, and its outage continues.
target NAS rise=2 hook=up
NAS r x x x r
  1s  NAS unknown→up
  4s  NAS up→down
stall 61s
  1m06s  not running for 1m01s: probes of that time are ignored
NAS r
show NAS
  NAS: down, 1/2 toward up, for 1m05s, availability 20%, 1 outage, 6 samples
NAS r
  1m08s  NAS down→up
  1m08s  hook up of NAS (down→up)
