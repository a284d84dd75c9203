# The program did not run for a minute: the streak before it ends, and the gap is not judged.
target NAS hook=down
NAS r r r r r r r r r x x
  1s  NAS unknown→up
stall 61s
  1m12s  not running for 1m01s: probes of that time are ignored
NAS x x
show NAS
  NAS: up, 2/3 toward down, for 1m13s, availability 100%, 13 samples
NAS x
  1m15s  NAS up→down
  1m15s  hook down of NAS (up→down)
show NAS
  NAS: down, for 2s, availability 85%, 1 outage, 14 samples
