# A stall ends the pending verdict, and the target returns to its interval.
requests
target NAS interval=10s retry_interval=1s
NAS r x
  1s  NAS unknown→up
  2s  · probe NAS every 1s
stall 61s
  1m03s  not running for 1m01s: probes of that time are ignored
  1m03s  · probe NAS every 10s
