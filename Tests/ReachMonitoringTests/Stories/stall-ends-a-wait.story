# A stall also voids a verdict that waits for a parent.
target Switch interval=1m
target NAS depends_on=Switch
Switch r
NAS    r x x x
  1s  Switch unknown→up
  1s  NAS unknown→up
stall 61s
  1m05s  not running for 1m01s: probes of that time are ignored
Switch r
NAS    r
show NAS
  NAS: up, for 1m05s, availability 100%, 5 samples
