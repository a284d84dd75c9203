# The first verdict ends no outage, so none is too short.
target NAS hook=up.start min_down=1m
NAS r
  1s  NAS unknown→up
  1s  hook up of NAS (unknown→up)
