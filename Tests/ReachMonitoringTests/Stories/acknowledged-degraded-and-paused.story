# A degraded target is still degraded after a pause, and acknowledged.
target NAS slow=100ms
NAS r sss
  1s  NAS unknown→up
  4s  NAS up→degraded
acknowledge NAS
  4s  NAS acknowledged: known
pause NAS
wait 3s
resume NAS
NAS s s s
show NAS
  NAS: degraded, for 6s, availability 100%, 7 samples
NAS r r r
  13s  NAS degraded→up
  13s  NAS acknowledgement ended: up again
