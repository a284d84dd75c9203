# `within` does not limit events of an outage's start.
target NAS hook=up+down within=5s
NAS r xxx
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
wait 1h
NAS r xxx
  1h00m  NAS down→up
  1h00m  NAS skips up+down: not reachable within 5s
  1h00m  NAS up→down
  1h00m  hook down of NAS (up→down)
