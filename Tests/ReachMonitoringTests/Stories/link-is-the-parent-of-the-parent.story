# The default route is gone: the link blocks router and NAS, and neither blocks the other.
target Router depends_on=link
target NAS depends_on=Router
link up
Router r
NAS    r x x
  1s  Router unknown→up
  1s  NAS unknown→up
Router x
link down
  4s  Router, NAS blocked: no uplink
show NAS
  NAS: blocked, by link, for 0s, availability 100%, 3 samples
link up
  4s  Router, NAS no longer blocked
show NAS
  NAS: up, for 3s, availability 100%, 3 samples
Router r
NAS    r
