# Neither the short outage nor the long one fires, but the one between.
target NAS hook=up min_down=5s within=20s flapping=false
NAS r xxx r
  1s  NAS unknown→up
  4s  NAS up→down
  5s  NAS down→up
  5s  NAS skips up: down for 3.0s, less than min_down 5s
NAS xxx xxxxx r
  8s  NAS up→down
  14s  NAS down→up
  14s  hook up of NAS (down→up)
NAS rrrrrrrrrrrrrrrrrrrrr
NAS xxx
  38s  NAS up→down
wait 30s
NAS r
  1m09s  NAS down→up
  1m09s  NAS skips up: not reachable within 20s
