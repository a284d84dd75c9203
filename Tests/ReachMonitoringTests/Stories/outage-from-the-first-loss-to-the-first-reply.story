# The outage counts from the first lost probe to the first reply of the recovery.
target NAS rise=2 hook=up min_down=6s
NAS r r t t t
  1s  NAS unknown→up
  5s  NAS up→down
show NAS
  NAS: down, for 2s, availability 50%, 1 outage, 5 samples
NAS r r
  7s  NAS down→up
  7s  NAS skips up: down for 3.0s, less than min_down 6s
show NAS
  NAS: up, for 1s, availability 50%, 1 outage, 7 samples
NAS t t t t t r r
  10s  NAS up→down
  14s  NAS down→up
  14s  NAS skips up: down for 5.0s, less than min_down 6s
show NAS
  NAS: up, for 1s, availability 38%, 2 outages, 14 samples
