# A target that is down stays so: what counted toward its return is forgotten, its outage goes on.
target NAS rise=2 hook=up
NAS r x x x r
  1s  NAS unknown→up
  4s  NAS up→down
stall 61s
  1m06s  not running for 1m01s: probes of that time are void
NAS r
show NAS
  NAS: down, 1/2 toward up, for 1m05s, availability 20%, 1 outage, 6 samples
NAS r
  1m08s  NAS down→up
  1m08s  hook up of NAS (down→up)
