# An outage fires when it begins, even if it turns out short.
target NAS hook=change min_down=1m
NAS r xxx r xxx
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook change of NAS (up→down)
  5s  NAS down→up
  5s  NAS skips change: down for 3.0s, less than min_down 1m
  8s  NAS up→down
  8s  hook change of NAS (up→down)
