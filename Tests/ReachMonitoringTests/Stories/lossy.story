# More than a tenth of twenty probes lost is degraded, until the window no longer contains the losses.
target NAS lossy=0.1
NAS rrrrrrrrrrrrrrrrr x r x r x
  1s  NAS unknown→up
NAS rrrrrrrrrrrrrrr
  23s  NAS up→degraded
show NAS
  NAS: degraded, for 14s, availability 100%, 37 samples
NAS rrr
  40s  NAS degraded→up
show NAS
  NAS: up, for 0s, availability 100%, 40 samples
