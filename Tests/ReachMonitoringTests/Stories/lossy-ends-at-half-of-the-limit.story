# A target that was degraded by losses is up again at half of the limit. Losses around the limit do not change its health.
target NAS lossy=0.2
NAS rrrr xrrr xrrr xrrr xrrr rrrr xrrr xrrr xrrr xrrr xrrr rrrr xrrr rrrr
  1s  NAS unknown→up
  42s  NAS up→degraded
show NAS
  NAS: degraded, for 14s, availability 100%, 56 samples
NAS rrrrrrrrrrrrr
  57s  NAS degraded→up
show NAS
  NAS: up, for 12s, availability 100%, 69 samples
