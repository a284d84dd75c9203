# A reset restarts the statistics, including the time in the present health.
target NAS
NAS r r r x x x r
  1s  NAS unknown→up
  6s  NAS up→down
  7s  NAS down→up
wait 1m
reset NAS
show NAS
  NAS: up, for 1m00s, availability unknown, 0 samples
NAS x x x
  1m10s  NAS up→down
wait 3s
show NAS
  NAS: down, for 5s, availability 17%, 1 outage, 3 samples
