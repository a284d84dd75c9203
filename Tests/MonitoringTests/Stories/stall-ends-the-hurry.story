# The pending verdict made the prober hurry; it need not any more.
requests
target NAS interval=10s retry_interval=1s
NAS r x
  1s  NAS unknown→up
  2s  · ask NAS every 1s
stall 61s
  1m03s  not running for 1m01s: probes of that time are void
  1m03s  · ask NAS every 10s
